#!/bin/sh
# Shows the main job: a sentence by command, then a drop folder with three files.
# Usage: demo.sh DRAGOMAN
# --local: it shows this build, and leaves the history of a service that runs alone.
set -eu
dragoman=$1
inbox=$(mktemp -d "${TMPDIR:-/tmp}/dragoman-demo-XXXXXX")
watcher=
finish() {
	if [ -n "$watcher" ]; then kill "$watcher" 2>/dev/null || true; wait "$watcher" 2>/dev/null || true; fi
	rm -rf "$inbox"
}
trap finish EXIT
trap 'exit 130' INT TERM

sentence="Please close the window before you leave."
echo "A sentence by command, English to German:"
echo "  $sentence"
echo "  $("$dragoman" translate --local --from en --to de "$sentence")"
echo
echo "A drop folder, English to Spanish: three files are dropped into it while it is watched."
"$dragoman" watch --from en --to es "$inbox" 2>/dev/null &
watcher=$!
printf 'Good morning.\nThe meeting starts at ten.\n' >"$inbox/meeting.txt"
printf 'To buy\n\n- two bottles of milk\n- white bread\n' >"$inbox/list.txt"
printf 'Please open the settings and choose a language. Then restart the program.\n' >"$inbox/help.txt"

waited=0
while [ "$(find "$inbox/translated" -name '[!.]*.es.txt' 2>/dev/null | wc -l)" -lt 3 ]; do
	if ! kill -0 "$watcher" 2>/dev/null; then echo "The watch ended early." >&2; exit 1; fi
	if [ "$waited" -ge 600 ]; then echo "No translations after a minute." >&2; exit 1; fi
	waited=$((waited + 1))
	sleep 0.1
done
for name in help list meeting; do
	echo
	echo "$name.txt"
	sed 's/^/  | /' "$inbox/$name.txt"
	echo "translated/$name.es.txt"
	sed 's/^/  | /' "$inbox/translated/$name.es.txt"
done
