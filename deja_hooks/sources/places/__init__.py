"""Where hosts keep their files on this machine, and which folder each session belongs to."""
