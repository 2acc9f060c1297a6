"""Fuzzing by hand: `python -m tests.fuzz [TARGET…] [--seconds N]`; a few of each run with the ordinary tests."""
