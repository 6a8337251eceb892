"""``python -m rocite``: the same as the ``rocite`` command."""

import sys

from rocite.cli import main

sys.exit(main())
