"""Where reading a file that is still being written goes on.

Offsets alone don't do: a rewind rewrites the file in place. So a cursor keeps a fingerprint of what lies
before its offset; where that differs, all that the file gave is dropped and read again.
"""

import zlib

from deja_hooks.system import READ, calls

__all__ = ["fingerprint", "fingerprint_of"]

#: Bytes looked at: from the start of the file (its header), and before the offset.
HEAD_BYTES = 256
TAIL_BYTES = 1024


def fingerprint(descriptor: int, offset: int) -> int:
    """A 63-bit fingerprint of the file's bytes before the offset. Raises OSError."""
    head = _read_at(descriptor, 0, min(HEAD_BYTES, offset))
    tail = _read_at(descriptor, max(0, offset - TAIL_BYTES), min(TAIL_BYTES, offset))
    return (zlib.crc32(head) << 31 ^ zlib.crc32(tail)) & 0x7FFFFFFFFFFFFFFF


def fingerprint_of(path: str, offset: int) -> int:
    """`fingerprint` of a file by path; -1 where it can't be read."""
    try:
        descriptor = calls.open(path, READ)
    except (OSError, ValueError):
        return -1
    try:
        return fingerprint(descriptor, offset)
    except OSError:
        return -1
    finally:
        calls.close(descriptor)


def _read_at(descriptor: int, offset: int, size: int) -> bytes:
    calls.lseek(descriptor, offset, 0)
    parts = []
    while size > 0:
        part = calls.read(descriptor, size)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
