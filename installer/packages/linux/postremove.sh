#!/bin/sh
set -e
FUNCTIONS
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
	for name in $(managers); do
		of_user "$name" daemon-reload || true
	done
fi
# Of the system's service; what users have is in their homes and stays theirs.
if [ "${1:-}" = purge ]; then
	rm -rf /var/lib/dragoman /var/cache/dragoman /etc/dragoman
	if getent passwd dragoman >/dev/null; then
		userdel dragoman >/dev/null 2>&1 || true
	fi
	if getent group dragoman >/dev/null; then
		groupdel dragoman >/dev/null 2>&1 || true
	fi
fi
