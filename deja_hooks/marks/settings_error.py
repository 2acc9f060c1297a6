"""What reading or changing the settings may fail with; apart from `settings`, which loads pydantic."""

__all__ = ["SettingsError"]


class SettingsError(Exception):
    """The settings can't be used; the message names the file, the field and what to do."""
