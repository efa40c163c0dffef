#!/bin/sh
# An older program refuses the newer database: say so before anything changes.
set -e
# dpkg gives the version that is there and the new one (Debian Policy, 6.5).
if [ "${1:-}" = upgrade ] && [ -n "${3:-}" ] && dpkg --compare-versions "$2" gt "$3"; then
	echo "dragoman: $2 is installed, and $3 may not read what it has stored." >&2
	echo "dragoman: to go back, keep a copy of ~/.local/state/dragoman and remove the package first." >&2
	exit 1
fi
