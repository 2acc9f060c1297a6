"""The two sessions of `played` under other versions of the Copilot CLI, and a table of what each delivers."""
