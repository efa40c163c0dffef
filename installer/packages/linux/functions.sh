# The users who are logged in and have a service manager of their own.
managers() {
	command -v loginctl >/dev/null 2>&1 && [ -d /run/systemd/system ] || return 0
	loginctl list-users --no-legend 2>/dev/null | while read -r uid name _; do
		[ -S "/run/user/$uid/systemd/private" ] && echo "$name"
	done
}

# Their services are asked for by root. A manager that does not answer must not
# stop the package: whoever needs to know looks at the exit status.
of_user() { # name, arguments of systemctl
	name=$1
	shift
	timeout 30 systemctl --user --machine="$name@.host" --quiet "$@" >/dev/null 2>&1
}
