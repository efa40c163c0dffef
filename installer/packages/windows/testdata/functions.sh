# functions.sh OLD NEW: what the scripts of this folder share. Lines that begin with "= "
# are what the tests look at. WINEPREFIX is a prefix of its own, which wine.sh made.
set -u
old=$1 new=$2
drive=$WINEPREFIX/drive_c
user=$drive/users/$(id -un)
own=$user/AppData/Local/Programs/Dragoman
state=$user/AppData/Local/dragoman
all="$drive/Program Files/Dragoman"
say() { printf '= %s\n' "$*"; }
setup() { # what it is called, arguments
	name=$1
	shift
	timeout -k 5 300 wine "$@" >/dev/null 2>&1
	say "$name: exit $?"
}
registry() { wine reg query "$@" 2>/dev/null | tr -d '\r'; }
translate() { # program's folder
	for try in 1 2 3 4 5 6; do
		if text=$(timeout -k 5 120 wine "$1/dragoman.exe" translate --from en --to de --text 'The house is big.' 2>/dev/null | tr -d '\r') && [ -n "$text" ]; then
			say "translation: $text"
			return
		fi
		sleep 1
	done
	say "no translation"
}
running() { # until the service answers; a pipe's first connection gets no answer below Wine
	for try in $(seq 40); do
		if timeout -k 5 20 wine "$1/dragoman.exe" status >/dev/null 2>&1; then
			say "service answers"
			return
		fi
		sleep 0.5
	done
	say "no service"
}
gone() { # until the uninstaller, which goes on from a copy of its own, is done
	for try in $(seq 120); do
		[ -e "$1" ] || return 0
		sleep 0.5
	done
	find "$1" | head -n 20
}
left() {
	wineserver -k 2>/dev/null # the registry is written
	wineserver -w 2>/dev/null
	find "$drive" -iname '*dragoman*' -not -path '*/Temp/*' | sed 's/^/= left: /'
	grep -i dragoman "$WINEPREFIX"/*.reg | grep -vi 'policies' | sed 's/^/= left: /'
}
