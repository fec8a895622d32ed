"""Double-click to play Traffic Lights (Windows; elsewhere: python3 play.pyw).

Readable for Pythons much older than the program needs, so that they can say so.
"""

import os.path
import sys

_FOLDER = os.path.dirname(os.path.realpath(__file__))
if sys.path and os.path.realpath(sys.path[0] or ".") == _FOLDER:
    sys.path[0] = os.path.dirname(_FOLDER)
else:
    sys.path.insert(0, os.path.dirname(_FOLDER))

from traffic_lights.__main__ import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
