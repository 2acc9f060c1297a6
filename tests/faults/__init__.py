"""What may break beside us, tried: pipes, texts, disks, the load, our own code. `python -m tests.faults` tells."""
