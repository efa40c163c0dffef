# inuse.sh SETUP: a removal while a program of the folder runs, below Wine, and again
# when it has ended. Lines that begin with "= " are what the test looks at.
set -u
drive=$WINEPREFIX/drive_c
own=$drive/users/$(id -un)/AppData/Local/Programs/Dragoman
say() { printf '= %s\n' "$*"; }
entry() { wine reg query 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Dragoman' 2>/dev/null | grep -o 'DisplayName' | sed 's/^/= entry: /'; }
timeout -k 5 120 wine "$1" /S >/dev/null 2>&1
say "install: exit $?"
wine "$own/dragoman.exe" >"$WINEPREFIX/started" 2>/dev/null &
for try in $(seq 120); do
	[ -s "$WINEPREFIX/started" ] && break
	sleep 0.5
done
say "$(tr -d '\r' <"$WINEPREFIX/started")"
# By _?= the uninstaller runs where it lies, and so its exit status is seen.
timeout -k 5 120 wine "$own/uninstall.exe" /S "_?=$(winepath -w "$own" 2>/dev/null | tr -d '\r')" >/dev/null 2>&1
say "remove while in use: exit $?"
entry
wineserver -k # which ends the program
wineserver -w
timeout -k 5 120 wine "$own/uninstall.exe" /S >/dev/null 2>&1
say "remove again: exit $?"
for try in $(seq 120); do
	[ -e "$own" ] || break
	sleep 0.5
done
entry
find "$drive" -iname '*dragoman*' -not -path '*/Temp/*' | sed 's/^/= left: /'
say end
