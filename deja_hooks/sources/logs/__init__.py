"""Logs of one record a line that are read on as they grow: Copilot CLI's events, VS Code's transcripts."""
