"""VS Code's own record of a chat: `chatSessions/<session id>.jsonl`, a log of changes, or the older flat `.json`.

It lies below a workspace (`workspaceStorage/<id>/chatSessions/`) or, of windows without a folder, below
`globalStorage/`. Seen in Copilot Chat 0.37 to 0.67 and in the exports of earlier builds, all of version 3 where they
name one. It is read whole each time: VS Code rewrites it. Whether a chat was archived isn't in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from deja_hooks.sources.chats.ending import completed_at, error_of, is_final
from deja_hooks.sources.chats.files import edited_unasked, named_files, written_in
from deja_hooks.sources.chats.mutation_log import replay
from deja_hooks.sources.chats.speech import KNOWN_KINDS, answer, is_withdrawn, question, shown_parts
from deja_hooks.sources.chats.terminal import with_ends
from deja_hooks.sources.chats.usage import usage_of
from deja_hooks.sources.chats.values import mapping, mappings, metadata, text
from deja_hooks.sources.chats.work import done_in
from deja_hooks.sources.model import MOST_NAMES, Chunk, Header, Tally, Turn
from deja_hooks.sources.places.uris import path_of
from deja_hooks.sources.places.workspace import workspace_folder, workspace_problem
from deja_hooks.sources.text import epoch_ms, words

__all__ = ["HOST", "STORE", "read"]

HOST = "vscode"
STORE = "vscode-chat"
_VERSION = 3
#: `origin.kind` of a request that another session made.
_DELEGATION = "delegation"


def read(path: Path, start: int, header: Header | None, size_limit: int | None) -> Chunk:  # noqa: ARG001
    """Reads a chat, always as a whole; see `Reader`. A turn's offset is its place among the requests.

    Raises:
        OSError: the file can't be read.
        ValueError: there is no chat in it; says why.
    """
    replayed = replay(path, size_limit)
    state = replayed.state
    given = state.get("requests")
    if not isinstance(given, list):
        raise ValueError("the chat's state has no list of requests")  # noqa: TRY004 (a file, not an argument)
    requests = mappings(given)
    turns = [
        _turn(place, request, later=place + 1 < len(given))
        for place, request in enumerate(given)
        if isinstance(request, dict) and not is_withdrawn(request)
    ]
    turns = with_ends(turns, requests)
    head = _header(path, state, requests)
    return Chunk(
        header=head,
        turns=tuple(turns),
        restart=0,
        end=replayed.size,
        updated=max(_times(state, requests)),
        tally=replayed.tally,
        settled=Tally(),
        shutdown=False,
        files_modified=(),
        compactions=(),
        requests=tuple(name for request in requests if (name := text(request.get("requestId")))),
        remarks=(*_of_version(state), *_of_workspace(path, head), *replayed.remarks, *_of_parts(requests)),
    )


def _turn(place: int, request: dict[str, Any], *, later: bool) -> Turn:
    at = epoch_ms(request.get("timestamp"))
    parts, withdrawn = shown_parts(request)
    done = done_in(request, parts, withdrawn, at)
    work = (*done.work, *edited_unasked(parts, done.work, at), *error_of(request, at))
    edited = {each.path for each in work if each.kind == "edit"}
    files = dict.fromkeys(path for path in named_files(request, parts) if path and path not in edited)
    return Turn(
        offset=place,
        at=at,
        user=question(request),
        assistant=answer(parts),
        work=work,
        ended=later or is_final(request) or bool(request.get("result")),
        request=text(request.get("requestId")),
        files=tuple(files),
        written=tuple(written_in(parts)),
        calls=done.calls,
        usage=usage_of(request, at),
    )


def _header(path: Path, state: dict[str, Any], requests: list[dict[str, Any]]) -> Header:
    session = text(state.get("sessionId")) or path.stem
    first = requests[0] if requests else {}
    delegated = mapping(first.get("origin")).get("kind") == _DELEGATION
    return Header(
        session_id=session,
        host=HOST,
        store=STORE,
        cwd=_folder(path, state, session),
        branch="",
        started=epoch_ms(state.get("creationDate")) or epoch_ms(first.get("timestamp")),
        version=_extension(requests),
        title=words(text(state.get("customTitle")) or text(state.get("computedTitle"))),
        archived=_mark(state, "isArchived", "archived"),
        nested=True if delegated else _mark(state, "isNested", "nested"),
        side=_mark(state, "isSideChat", "side"),
    )


def _folder(path: Path, state: dict[str, Any], session: str) -> str:
    found = workspace_folder(path.parent.parent / "workspace.json")
    given = state.get("workingDirectory")
    found = found or path_of(given) or (given if isinstance(given, str) and _is_path(given) else "")
    if found:
        return found
    # Loaded only for a window without a folder: it needs SQLite.
    from deja_hooks.sources.places.session_store import session_cwd

    return session_cwd(path, session)


def _is_path(given: str) -> bool:
    return given.startswith(("/", "\\")) or given[1:3] in (":\\", ":/")


def _extension(requests: list[dict[str, Any]]) -> str:
    """The version of the extension that answered last."""
    versions = (text(mapping(request.get("agent")).get("extensionVersion")) for request in reversed(requests))
    return next((version for version in versions if version), "")


def _mark(state: dict[str, Any], *names: str) -> bool | None:
    return next((value for name in names if isinstance(value := state.get(name), bool)), None)


def _times(state: dict[str, Any], requests: Iterable[dict[str, Any]]) -> Iterable[int]:
    """All times that a chat names, epoch ms."""
    yield epoch_ms(state.get("creationDate"))
    yield epoch_ms(state.get("lastMessageDate"))
    for request in requests:
        yield epoch_ms(request.get("timestamp"))
        yield epoch_ms(request.get("responseTimestamp"))
        yield completed_at(request)
        for each in mappings(metadata(request).get("toolCallRounds")):
            yield epoch_ms(each.get("timestamp"))


def _of_version(state: dict[str, Any]) -> list[str]:
    version = state.get("version")
    if version == _VERSION and type(version) is int:
        return []
    if version is None:
        return [f"no version is given: read as version {_VERSION}"]
    named = str(version)[:20] if isinstance(version, (str, int, float)) else "of no number"
    return [f"version {named} is not known: read as version {_VERSION}"]


def _of_workspace(path: Path, header: Header) -> list[str]:
    """Says why the chat's folder isn't known, where a `workspace.json` should name it."""
    problem = "" if header.cwd else workspace_problem(path.parent.parent / "workspace.json")
    return [f"workspace.json {problem}: the chat's folder is not known"] if problem else []


def _of_parts(requests: Iterable[dict[str, Any]]) -> list[str]:
    """Says which kinds of response parts aren't known: nothing of them is kept."""
    kinds: dict[str, None] = {}
    for request in requests:
        for part in mappings(request.get("response")):
            kind = part.get("kind")
            if isinstance(kind, str) and kind not in KNOWN_KINDS:
                kinds[kind[:40]] = None
    names = sorted(kinds)[:MOST_NAMES]
    return [f"parts of unknown kinds are left out: {', '.join(names)}"] if names else []
