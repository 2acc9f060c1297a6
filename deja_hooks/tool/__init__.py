"""The recall tool: what a model may ask of the memory by itself, in agent mode (`deja-hooks mcp`)."""
