"""The installed hooks under the real Copilot CLI, offline, with a scripted model on 127.0.0.1."""
