"""What can be wrong with a machine that we are to be wired into."""

__all__ = ["HookFileError", "HostsError", "InterpreterError", "LockedError"]


class HostsError(Exception):
    """Wiring can't go on; the message says what is wrong and what to do about it."""


class InterpreterError(HostsError):
    """The running interpreter can't be named in a hook command."""


class HookFileError(HostsError):
    """A host's file can't be read or understood; nothing was written."""


class LockedError(HostsError):
    """Another install or uninstall is at work."""
