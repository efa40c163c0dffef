# rpm-booted.sh: the life of the RPM package in a booted machine, from /share with
# old.rpm and new.rpm. Dependencies are of another kind of package there, and not
# looked at.
. /share/booted.sh
install() { # name, arguments of rpm
	name=$1
	shift
	rpm --nodeps "$@" >/tmp/rpm.log 2>&1
	say "$name: exit $?, version $(rpm -q --qf '%{VERSION}' dragoman | grep -v 'not installed')"
	sed 's/^/rpm: /' /tmp/rpm.log
}

# Folders that many packages share belong to a package of their own on RPM systems.
all() { find / -xdev \( -not -type d -o -iname '*dragoman*' \) -not -path '/proc/*' -not -path '/share/*' -not -path '/sys/*' -not -path '/run/*' | sort; }
all >/tmp/before

install "install" -i /share/old.rpm
running
say "translation: $(user dragoman translate --from en --to de --text 'The house is big.' 2>&1)"
drop
say "system's service: $(systemctl is-enabled dragoman.service 2>&1)"
say "tray at login: $(user systemctl --user is-enabled dragoman-tray.service)"
first=$(user systemctl --user show --property=MainPID --value dragoman.service)
wait_in_queue
install "upgrade" -U /share/new.rpm
running
[ "$(user systemctl --user show --property=MainPID --value dragoman.service)" != "$first" ] && say "the new program runs"
queue
install "downgrade" -U /share/old.rpm
install "twice" -U /share/new.rpm
install "over itself" -U --replacepkgs /share/new.rpm
running
# The power fails while rpm works.
setsid rpm --nodeps -U --replacepkgs /share/new.rpm >/dev/null 2>&1 &
rpm=$!
sleep 0.7
kill -KILL -- -$rpm 2>/dev/null && echo "rpm was killed"
wait $rpm 2>/dev/null
sleep 2 # rpm names unfinished files after the second that it began in
install "after a kill" -U --replacepkgs /share/new.rpm
say "verify: exit $(rpm -V --nodeps dragoman >&2; echo $?)"
running

install "remove" -e dragoman
say "service of the user: $(user systemctl --user is-active dragoman.service)"
user dragoman 2>/dev/null && say "the program is there"
all >/tmp/after
comm -13 /tmp/before /tmp/after | grep -v -e '^/home/anna' -e '^/tmp' -e '^/var/log' -e '^/var/lib/rpm' -e '^/usr/lib/sysimage/rpm' -e '^/root' -e '^/var/cache' -e '^/etc/\(passwd\|group\|shadow\|gshadow\)-$' -e pwd.lock -e '^/var/lib/systemd' -e ldconfig | sed 's/^/= left: /'
say "home: $(cd /home/anna && find . -maxdepth 4 -name 'dragoman' | sort | xargs)"
say end
