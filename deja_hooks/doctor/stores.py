"""Whether the hosts' stores are understood, by format and version: formats change without notice."""

from collections.abc import Iterator
from typing import NamedTuple

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.marks.barred import NOT_READ
from deja_hooks.memory.source_rows import Source, unpack_tally
from deja_hooks.sources.model import Tally

__all__ = ["check_stores"]

_CHECK = "stores"
#: So many files without a version, of which nothing is understood, are a format that changed, not damaged files.
_SEVERAL = 3
#: So many records of unknown kinds, beside one that is understood, are a format of which only the first line is known.
_MANY = 5


class _Count(NamedTuple):
    """Files of one store and version.

    Attributes:
        files: all of them that hold anything.
        understood: those of which something was.
        lost: of the others the first.
    """

    files: int = 0
    understood: int = 0
    lost: str = ""


def check_stores(sources: list[Source]) -> Iterator[Finding]:
    """Each format and version that was read. Bytes read of which nothing at all was understood are a fault.

    A damaged file doesn't tell its version; it is a fault where nothing else of its format is understood, and where
    there are several.

    Args:
        sources: what the memory says of the hosts' files.
    """
    counts: dict[tuple[str, str], _Count] = {}
    for source in sources:
        if source.size <= 0 or source.remarks.startswith(NOT_READ):
            continue
        key = source.store, source.version
        files, good, lost = counts.get(key, _Count())
        is_good = _is_understood(unpack_tally(source.tally))
        counts[key] = _Count(files + 1, good + is_good, lost or ("" if is_good else source.path))
    known = {store for (store, _), count in counts.items() if count.understood}
    for (store, version), count in sorted(counts.items()):
        about = f"{store} {version}".rstrip()
        if not count.understood and (version or store not in known or count.files >= _SEVERAL):
            seen = f"nothing in {_files(count.files)} was understood ({count.lost})"
            yield broken(_CHECK, about, seen, "see deja-hooks sources; a newer deja-hooks may know this version")
        elif count.understood < count.files:
            seen = f"{count.understood:,} of {_files(count.files)} understood (not {count.lost})"
            yield note(_CHECK, about, seen, "see deja-hooks sources")
        else:
            yield ok(_CHECK, about, f"{_files(count.files)} understood")
    closed = [source for source in sources if source.size <= 0 and source.problem]
    if closed:
        seen = f"{_files(len(closed))} could not be read ({closed[0].path}: {closed[0].problem})"
        yield note(_CHECK, "closed files", seen, "see deja-hooks sources; each pass tries again")
    if not counts:
        yield note(_CHECK, "the hosts' sessions", "none has been read yet")


def _is_understood(tally: Tally) -> bool:
    return tally.understood > 1 or (tally.understood == 1 and tally.unknown < _MANY)


def _files(number: int) -> str:
    return f"{number:,} {'file' if number == 1 else 'files'}"
