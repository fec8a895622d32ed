"""Double-click to play Traffic Lights (Windows; elsewhere: python3 play.pyw)."""

import sys
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent
if sys.path and Path(sys.path[0] or ".").resolve() == _FOLDER:
    sys.path[0] = str(_FOLDER.parent)
else:
    sys.path.insert(0, str(_FOLDER.parent))

from traffic_lights.__main__ import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
