"""More of everything than anybody has: `python -m tests.load`."""
