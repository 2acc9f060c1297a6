"""How long the background indexer waits for what, in seconds."""

__all__ = ["GIVE_WAY", "LAG", "LINGER", "PATIENCE", "RENEW", "REST"]

#: Hosts write their logs after about 100 ms of quiet (Copilot CLI 1.0.102): so long after a hook has asked.
LAG = 0.15
#: At a session's start, where there is no hurry.
REST = 3.0
#: An idle indexer, for more work.
LINGER = 1.0
#: Between two passes, for whoever waits for the lock (`filelock` looks every 0.05 s).
GIVE_WAY = 0.15
#: Between two renewals of the claim (see `hook.wake.STALE_MS`).
RENEW = 1.0
#: For a foreground `deja-hooks index` to end.
PATIENCE = 120.0
