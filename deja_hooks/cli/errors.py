"""What a command may fail with, and the exit codes."""

__all__ = ["ERROR", "INTERRUPTED", "OK", "UNEXPECTED", "USAGE", "DejaError"]

OK = 0
ERROR = 1
USAGE = 2
UNEXPECTED = 3
INTERRUPTED = 130


class DejaError(Exception):
    """A command can't do what it was asked; the message says why and what to do (exit code 1)."""
