#!/bin/sh
set -e
FUNCTIONS
# deb: remove or upgrade; rpm: the number of versions that will be left.
case "${1:-}" in
remove | 0) ;;
*) exit 0 ;;
esac
remove_unfinished
for name in $(managers); do
	of_user "$name" stop dragoman-tray.service dragoman.service || true
done
if [ -d /run/systemd/system ]; then
	systemctl stop dragoman.service >/dev/null 2>&1 || true
	systemctl disable dragoman.service >/dev/null 2>&1 || true
fi
systemctl --global disable dragoman.service dragoman-tray.service >/dev/null 2>&1 || true
