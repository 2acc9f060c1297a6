"""What an exclusion may look like: the settings' model and the indexer, which doesn't load it, ask the same."""

__all__ = ["folder", "pattern"]


def folder(value: str) -> str:
    """The value, where it can name a folder. Raises ValueError, which says what to write."""
    if not _is_absolute(_text(value)):
        raise ValueError(f"{value!r} is no absolute folder: begin it with / or ~/ (on Windows also C:\\)")
    return value


def pattern(value: str) -> str:
    """The value, where it can be a pattern of folders (`memory.kept_out.pattern_fits`). Raises ValueError."""
    if not _is_absolute(_text(value)) and ("/" in value or "\\" in value):
        raise ValueError(
            f"{value!r} is neither absolute nor a single name: write /home/me/clients/*, ~/clients/* or secret-*"
        )
    if not value.strip("*?/\\. "):
        raise ValueError(f"{value!r} would exclude everything")
    return value


def _text(value: str) -> str:
    if not value.strip() or any(ord(letter) < 32 or 0xD800 <= ord(letter) < 0xE000 for letter in value):
        raise ValueError("is empty or has control characters")
    return value


def _is_absolute(value: str) -> bool:
    return value[:1] in "/\\" or value == "~" or value[:2] in ("~/", "~\\") or value[1:3] in (":\\", ":/")
