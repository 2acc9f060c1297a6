"""Attacks on the whole product, counted: `python -m tests.attack` makes the table of docs/security-tests.md."""
