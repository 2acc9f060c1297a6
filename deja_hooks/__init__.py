"""deja-hooks: gives GitHub Copilot the memory of its earlier sessions.

Read `docs/architecture.md` for the way an event goes in and out.
"""

__version__ = "0.1.0"
