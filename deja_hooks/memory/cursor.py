"""Where reading a file that is still being written goes on.

Offsets alone don't do: a rewind rewrites the file in place. So a cursor keeps a fingerprint of what lies
before its offset; where that differs, all that the file gave is dropped and read again.
"""

import zlib

from deja_hooks.system import READ, calls, read_at

__all__ = ["fingerprint", "fingerprint_of", "prefix_of"]

#: Bytes looked at: from the start of the file (its header), before the offset, and after it.
HEAD_BYTES = 256
#: Longest beginning of a file of which the indexer looks at every byte (a gigabyte a second).
PREFIX_BYTES = 16 << 20
_BLOCK = 1 << 20
TAIL_BYTES = 1024
AHEAD_BYTES = 512


def fingerprint(descriptor: int, offset: int, ahead: int = 0) -> int:
    """A 63-bit fingerprint of the file's bytes around the offset. Raises OSError.

    Args:
        descriptor: of the open file.
        offset: where reading goes on.
        ahead: bytes known from there on: where reading goes on at a turn's beginning, the turn must still begin there.
    """
    head = read_at(descriptor, 0, min(HEAD_BYTES, offset))
    size = min(TAIL_BYTES, offset) + min(AHEAD_BYTES, ahead)
    tail = read_at(descriptor, max(0, offset - TAIL_BYTES), size)
    return (zlib.crc32(head) << 31 ^ zlib.crc32(tail)) & 0x7FFFFFFFFFFFFFFF


def fingerprint_of(path: str, offset: int, ahead: int = 0) -> int:
    """`fingerprint` of a file by path; -1 where it can't be read."""
    try:
        descriptor = calls.open(path, READ)
    except (OSError, ValueError):
        return -1
    try:
        return fingerprint(descriptor, offset, ahead)
    except OSError:
        return -1
    finally:
        calls.close(descriptor)


def prefix_of(path: str, offset: int) -> int:
    """A checksum of all bytes before the offset; 0 where they are too many, -1 where they can't be read.

    Hosts append and rewind; an early turn that was changed in place, at the same length, shows here alone.
    """
    if offset > PREFIX_BYTES:
        return 0
    try:
        descriptor = calls.open(path, READ)
    except (OSError, ValueError):
        return -1
    checksum = 0
    try:
        for start in range(0, offset, _BLOCK):
            checksum = zlib.crc32(read_at(descriptor, start, min(_BLOCK, offset - start)), checksum)
    except OSError:
        checksum = -1
    finally:
        calls.close(descriptor)
    return checksum
