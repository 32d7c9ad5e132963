"""`python -m novikoff` is the command `novikoff`."""

import sys

from novikoff.cli import main

if __name__ == "__main__":
    sys.exit(main())
