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

# What a killed rpm leaves: it writes files under names of its own at first.
remove_unfinished() {
	find /etc/xdg /usr/bin /usr/lib/dragoman /usr/lib/systemd /usr/lib/sysusers.d /usr/share/applications \
		/usr/share/bash-completion /usr/share/doc/dragoman* /usr/share/dragoman /usr/share/fish /usr/share/icons/hicolor \
		/usr/share/man/man1 /usr/share/metainfo /usr/share/zsh -type f -path '*dragoman*;????????' -delete 2>/dev/null || true
}
