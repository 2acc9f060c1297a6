"""Wiring into the hosts: which file, which command, and the way back (plan, apply, undo)."""
