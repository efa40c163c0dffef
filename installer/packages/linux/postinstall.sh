#!/bin/sh
set -e
FUNCTIONS
# deb: configure [old version]; rpm: the number of versions that will be there.
case "${1:-}" in
configure | 1 | 2) ;;
*) exit 0 ;;
esac
[ "$1" = configure ] || remove_unfinished
if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers /usr/lib/sysusers.d/dragoman.conf || true
fi
# Presets count once, so that what an administrator disabled stays so.
if [ "$1" = 1 ] || [ "$1" = configure ] && [ -z "${2:-}" ]; then
	systemctl --global preset dragoman.service dragoman-tray.service >/dev/null 2>&1 || true
fi
[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload || true
systemctl try-restart dragoman.service || true
for name in $(managers); do
	of_user "$name" daemon-reload || continue
	if [ -n "${2:-}" ] || [ "$1" = 2 ]; then
		of_user "$name" try-restart dragoman.service dragoman-tray.service || true
		continue
	fi
	of_user "$name" start dragoman.service || true
	if of_user "$name" is-active graphical-session.target; then
		of_user "$name" start dragoman-tray.service || true
	fi
done
