"""Measures what is recalled: `python -m tests.benchmarks.recall`. Needs the installed package and nothing else."""
