"""What is wrong with an installation, and what to do about it: checks that look, runs that try, mends on request."""
