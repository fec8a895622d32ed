"""Double-click to play Traffic Lights (Windows; elsewhere: python3 play.pyw)."""

import os
import sys

_PARENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if sys.path and os.path.abspath(sys.path[0] or os.curdir) == os.path.join(
    _PARENT, "traffic_lights"
):
    sys.path[0] = _PARENT
else:
    sys.path.insert(0, _PARENT)

from traffic_lights.__main__ import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
