"""What may not be known: sessions of excluded projects and folders, and forgotten sessions.

Asked by every hook once there is such a thing, so builtins only; the indexer asks the same code.
The rules' file has a kind, a space and a value a line:

- `project`: a `scope.project_key`;
- `folder`: that folder and all below it;
- `path`: a pattern, see `pattern_fits`.
"""

from deja_hooks.system import exists, file_stat, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["EXCLUDED", "FORGOTTEN", "Rules", "parse_rules", "pattern_fits", "read_rules", "why_kept_out"]

EXCLUDED = "excluded (deja-hooks config list)"
FORGOTTEN = "a forgotten session"
#: Bytes of the rules' file that are read.
_LIMIT = 256 << 10
_REGULAR = 0o100000
_KIND = 0o170000


def why_kept_out(layout: "Layout", cwd: str, sid: str) -> str:
    """Why nothing may be known of that session; "" where nothing stands against it. Raises OSError.

    Args:
        layout: of the installation; its folder `kept_out` is there.
        cwd: the session's folder; "" unknown.
        sid: its id; "" unknown.
    """
    if sid and exists(layout.forgotten(sid)):
        return FORGOTTEN
    rules = read_rules(layout)
    if not cwd or not rules:
        return ""
    from deja_hooks.memory.scope import project_key  # where nothing is excluded, only a tool that matters needs it

    return EXCLUDED if rules.fit(cwd, project_key(cwd)) else ""


def read_rules(layout: "Layout") -> "Rules":
    """The rules as they were made last; none where there is no file. Raises OSError where it can't be read."""
    status = file_stat(layout.kept_out_rules)
    if status is None or status.st_mode & _KIND != _REGULAR:  # a pipe would be waited for
        return Rules((), (), ())
    return parse_rules(read_file(layout.kept_out_rules, _LIMIT).decode("utf-8", "surrogateescape"))


def parse_rules(text: str) -> "Rules":
    """The rules of a file's text; lines of another kind are passed over."""
    found: dict[str, list[str]] = {"project": [], "folder": [], "path": []}
    for line in text.split("\n"):
        kind, _, value = line.partition(" ")
        if value and kind in found:
            found[kind].append(value)
    return Rules(tuple(found["project"]), tuple(found["folder"]), tuple(found["path"]))


class Rules:
    """Which projects and folders are excluded.

    Attributes:
        projects: keys; folders: each with all below it; paths: patterns.
    """

    __slots__ = ("folders", "paths", "projects")

    def __init__(self, projects: "tuple[str, ...]", folders: "tuple[str, ...]", paths: "tuple[str, ...]") -> None:
        self.projects = projects
        self.folders = folders
        self.paths = paths

    def __bool__(self) -> bool:
        return bool(self.projects or self.folders or self.paths)

    def lines(self) -> str:
        """The file's text, see `parse_rules`."""
        kinds = (("project", self.projects), ("folder", self.folders), ("path", self.paths))
        return "".join(f"{kind} {value}\n" for kind, values in kinds for value in values)

    def fit(self, cwd: str, key: str) -> bool:
        """Whether a session in that folder, of that project, is excluded.

        The folder as the host names it, with the links in it resolved, or the one that the project's key names: each is
        enough.
        """
        from deja_hooks.memory.scope import normal_path, real_path

        if key in self.projects:
            return True
        for folder in (normal_path(cwd), real_path(cwd), normal_path(key.partition(":")[2])):
            plain = folder.replace("\\", "/")
            tops = [normal_path(each).replace("\\", "/").rstrip("/") + "/" for each in self.folders]
            if plain and ((plain + "/").startswith(tuple(tops)) or any(pattern_fits(p, plain) for p in self.paths)):
                return True
        return False


def pattern_fits(pattern: str, folder: str) -> bool:
    """Whether the folder, or one that it lies in, is what a pattern says.

    `*` stands for any letters of one name, `?` for one of them, a name that is `**` for any number of names. A pattern
    without a `/` is the name of a folder, wherever it lies.

    Args:
        pattern: absolute, or one name; `/` between names.
        folder: absolute and normal, `/` between names.
    """
    names = folder.strip("/").split("/")
    plain = pattern.replace("\\", "/")
    if "/" not in plain:
        return any(_name_fits(plain, name) for name in names)
    return _names_fit(plain.strip("/").split("/"), names)


def _names_fit(wanted: "list[str]", names: "list[str]") -> bool:
    """Whether names at the beginning are the wanted ones; `places`: how many names may have been used so far."""
    places = {0}
    for each in wanted:
        if each == "**":
            places = set(range(min(places), len(names) + 1))
        else:
            places = {p + 1 for p in places if p < len(names) and _name_fits(each, names[p])}
        if not places:
            return False
    return True


def _name_fits(wanted: str, name: str) -> bool:
    """One name against one pattern, `*` and `?` in it, in time proportional to the product of their lengths."""
    at = back = 0
    star = -1
    i = 0
    while i < len(name):
        if at < len(wanted) and wanted[at] == "*":
            star, back = at, i
            at += 1
        elif at < len(wanted) and wanted[at] in ("?", name[i]):
            at += 1
            i += 1
        elif star >= 0:
            back += 1
            at, i = star + 1, back
        else:
            return False
    return wanted[at:].strip("*") == ""
