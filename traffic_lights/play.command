#!/bin/sh
# Double-click to play Traffic Lights (macOS; Linux: run it).
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0" || echo "$0")")" && pwd) || exit 2
if ! [ -f "$here/__main__.py" ]
then
    echo "play.command is alone in $here: unpack the whole archive, then start it there" >&2
    exit 2
fi
# A Python with Tk first; without any, one without says what is missing.
for needed in 'import sys, tkinter; sys.exit(sys.version_info < (3, 11))' \
    'import sys; sys.exit(sys.version_info < (3, 11))'
do
    for name in python3.15 python3.14 python3.13 python3.12 python3.11 python3 \
        /usr/local/bin/python3 /opt/homebrew/bin/python3 \
        /Library/Frameworks/Python.framework/Versions/Current/bin/python3
    do
        python=$(command -v "$name") || continue
        # On a Mac without developer tools, this one only offers to install them.
        [ "$(uname) $python" != "Darwin /usr/bin/python3" ] || continue
        ! "$python" -c "$needed" 2>/dev/null || exec "$python" "$here/__main__.py" "$@"
    done
done
echo "Traffic Lights needs Python 3.11 or newer: https://www.python.org/downloads/" >&2
exit 2
