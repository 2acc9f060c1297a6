"""`python -m deja_hooks`: the same as `deja-hooks`."""

import sys

from deja_hooks.cli.main import main

sys.exit(main())
