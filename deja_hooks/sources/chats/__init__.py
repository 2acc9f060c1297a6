"""VS Code's `chatSessions`: a log of changes, replayed (`mutation_log`), and what its requests say (`session`)."""
