# rpm.sh ROOT OLD NEW: the life of the RPM package in a system that is not booted.
# Lines that begin with "= " are what the test looks at. Dependencies are of another
# kind of package there, and not looked at.
set -u
root=$1 old=$2 new=$3
say() { printf '= %s\n' "$*"; }
run() { # name, arguments of rpm
	name=$1
	shift
	rpm --root "$root" --nodeps "$@" >/tmp/dragoman-rpm.log 2>&1
	say "$name: exit $?, $(rpm --root "$root" -q --qf '%{VERSION}' dragoman | grep -v 'not installed')"
	cat /tmp/dragoman-rpm.log
	rm -f /tmp/dragoman-rpm.log
}
# Folders that many packages share belong to a package of their own on RPM systems.
all() { find "$root" -xdev \( -not -type d -o -iname '*dragoman*' \) | sort; }
all >"$root/tmp/before"
run install -i "$old"
run verify -V dragoman
say "account: $(grep -c '^dragoman:' "$root/etc/passwd")"
say "enabled: $(find "$root/etc/systemd/user" -name 'dragoman*.service' -printf '%f ' | xargs -n 1 | sort | xargs)"
chroot "$root" dragoman --version >/dev/null && say "the program runs"
run upgrade -U "$new"
run verify -V dragoman
run downgrade -U "$old"
run remove -e dragoman
all >"$root/tmp/after"
comm -13 "$root/tmp/before" "$root/tmp/after" | sed "s|^$root||" | grep -v -e '^/tmp' -e '^/var/lib/rpm' -e '^/usr/lib/sysimage/rpm' -e '^/root' -e '^/etc/\(passwd\|group\|shadow\|gshadow\)-$' -e 'pwd.lock' | sed 's/^/= left: /'
say end
