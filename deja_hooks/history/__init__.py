"""What commands ask of the memory beyond what hooks do: lists of sessions, whole sessions, what was spent."""
