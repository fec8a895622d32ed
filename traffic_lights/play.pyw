"""Double-click to play Traffic Lights (Windows; elsewhere: python3 play.pyw).

Readable for Pythons much older than the program needs, so that they can say so.
"""

import os.path
import sys

_FOLDER = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.dirname(_FOLDER))


def _refuse_alone():
    """Report that the rest of the program is missing; return the exit status."""
    text = (
        "play.pyw is alone in " + _FOLDER + ". If you opened it inside a downloaded archive, "
        "unpack the archive first, then start play.pyw from the unpacked folder."
    )
    if sys.stderr is not None:
        sys.stderr.write("traffic-lights: " + text + "\n")
    else:
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, text, "Traffic Lights", 0x10)
    return 2


if not os.path.exists(os.path.join(_FOLDER, "__main__.py")):
    sys.exit(_refuse_alone())

from traffic_lights.__main__ import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
