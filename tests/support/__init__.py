"""What tests share: a world with a history in it, and calls of the hook against it."""
