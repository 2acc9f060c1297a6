"""Measures deja-hooks: `python -m tests.benchmarks`. Needs the installed package and nothing else."""
