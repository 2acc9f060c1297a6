"""Where everything of ours lies on disk.

Two folders: `cache` (memory, state, ring, recordings: all can be rebuilt) and `config` (what the user
decided: switches, settings). The installed command names both; environment variables win at run time.
"""

from deja_hooks.system import SEP, environment

__all__ = ["Layout", "file_name"]

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


def file_name(text: str) -> str:
    """A file name for any text: itself where it is short and plain, else a digest (a session id is untrusted)."""
    if 0 < len(text) <= 64 and _PLAIN.issuperset(text):
        return text
    import zlib  # most ids are plain

    data = text.encode("utf-8", "surrogatepass")
    return f"x{zlib.crc32(data):08x}{zlib.adler32(data):08x}{len(data):x}"


class Layout:
    """The paths of one installation.

    Args:
        cache: folder of what can be rebuilt.
        config: folder of what the user decided.
    """

    __slots__ = ("cache", "config")

    def __init__(self, cache: str, config: str) -> None:
        self.cache = cache.rstrip(SEP)
        self.config = config.rstrip(SEP)

    @classmethod
    def from_environment(cls, cache: str, config: str) -> "Layout":
        """The given folders, or those under `DEJA_HOOKS_HOME` where it is set."""
        home = environment("DEJA_HOOKS_HOME")
        if home[:1] == SEP or home[1:2] == ":":  # a relative one would be another folder in each project
            return cls(home + SEP + "cache", home + SEP + "config")
        return cls(cache, config)

    def in_cache(self, *names: str) -> str:
        """A path below the cache folder."""
        return SEP.join((self.cache, *names))

    def in_config(self, *names: str) -> str:
        """A path below the config folder."""
        return SEP.join((self.config, *names))

    @property
    def memory(self) -> str:
        """The index of all sessions (SQLite), written by the indexer alone."""
        return self.in_cache("memory.db")

    @property
    def state(self) -> str:
        """What hooks remember about sessions in progress (SQLite)."""
        return self.in_cache("state.db")

    @property
    def ring(self) -> str:
        """The last hook calls, one JSON line each."""
        return self.in_cache("ring.jsonl")

    @property
    def recordings(self) -> str:
        """Folder of redacted payloads kept by `replay --record`."""
        return self.in_cache("recordings")

    def pending(self, session_id: str) -> str:
        """Marker file: a compaction packet waits for this session."""
        return self.in_cache("pending", file_name(session_id))

    def live(self, session_id: str) -> str:
        """Marker file: a turn of this session is in progress; its mtime is the last event."""
        return self.in_cache("live", file_name(session_id))

    @property
    def index_wanted(self) -> str:
        """Marker file, touched by hooks: there is something to index."""
        return self.in_cache("index.wanted")

    @property
    def index_claim(self) -> str:
        """Marker file, made by whoever starts the indexer, before it is spawned."""
        return self.in_cache("index.claim")

    @property
    def index_lock(self) -> str:
        """filelock of the single indexer."""
        return self.in_cache("index.lock")

    @property
    def index_report(self) -> str:
        """What the last indexer run did, and its last error (JSON)."""
        return self.in_cache("index.json")

    @property
    def off(self) -> str:
        """Kill switch of all projects: a file with the expiry (epoch ms), or empty for "until switched on"."""
        return self.in_config("off")

    def off_project(self, project_key: str) -> str:
        """Kill switch of one project; same content as `off`."""
        return self.in_config("off.d", file_name(project_key))

    @property
    def marks(self) -> str:
        """What the user decided about sessions, one JSON line each (`marks.log`). It can't be rebuilt."""
        return self.in_config("marks.jsonl")

    @property
    def marks_lock(self) -> str:
        """filelock of every change of `marks` and `settings`."""
        return self.in_config("marks.lock")

    @property
    def settings(self) -> str:
        """The user's settings (JSON, `contract.settings`)."""
        return self.in_config("settings.json")

    @property
    def user_folders(self) -> str:
        """The User folders of VS Code that only hooks were told of, a line each (`indexer.places`)."""
        return self.in_config("user-folders")

    @property
    def hook_settings(self) -> str:
        """What of the settings hooks must know, a line each (`memory.hook_settings`); made from `settings`."""
        return self.in_config("settings.hooks")

    @property
    def kept_out(self) -> str:
        """Folder that is there once anything is excluded or forgotten: what hooks ask about it (`memory.kept_out`)."""
        return self.in_config("kept-out")

    @property
    def kept_out_rules(self) -> str:
        """The excluded projects, folders and patterns, a line each; made from `settings`."""
        return self.in_config("kept-out", "rules")

    def forgotten(self, session_id: str) -> str:
        """Marker file: this session is forgotten."""
        return self.in_config("kept-out", "sessions", file_name(session_id))

    @property
    def record(self) -> str:
        """Marker file: keep redacted payloads for replay."""
        return self.in_config("record")
