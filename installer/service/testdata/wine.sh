#!/bin/sh
# By hand, and only below Wine: the life of the Windows service. It needs a
# prefix (WINEPREFIX) in which Go programs run, a display, and the folder $1
# with dragoman.exe and dragomand.exe. Wine has no session 0, so that the service
# must be told to serve the service manager; it restarts nothing after a kill.
set -u
bin=$1
wine cmd /c "ping -n 60 127.0.0.1 >nul" & # services end with the last ordinary process
keep=$!
trap 'kill $keep 2>/dev/null' EXIT
step() {
	echo "--- $*"
	wine "$bin/dragoman.exe" service "$@"
	echo "exit status $?"
}
step status
step install --serve-scm
wine sc qc dragoman
step status
step stop
step status
step start
step start
step restart
step install --serve-scm
step logs --lines 3
wine sc query dragoman
step uninstall
step status
step uninstall
