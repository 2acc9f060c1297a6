"""The `deja-hooks` command: one module per command, imported when it is called."""
