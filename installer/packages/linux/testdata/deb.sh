# deb.sh: the life of the Debian package in a booted machine, from /share with
# old.deb and new.deb.
. /share/booted.sh
install() { # name, package
	dpkg -i "/share/$2" >/tmp/dpkg.log 2>&1
	say "$1: exit $?, version $(dpkg-query -W -f '${Version}' dragoman 2>/dev/null)"
	# Whether it was refused on purpose, and what else dpkg says.
	sed -n 's/^dragoman: /= says: /p' /tmp/dpkg.log
	sed 's/^/dpkg: /' /tmp/dpkg.log
}
install "install" old.deb
running
# Who reads of the command types it after the package, too; a copy of the unit would outlive that.
user dragoman service install | sed -n '1s/^/= service install: /p'
say "units of the user: $(find /home/anna/.config/systemd -name '*dragoman*' 2>/dev/null | xargs)"
say "translation: $(user dragoman translate --from en --to de --text 'The house is big.' 2>&1)"
drop
say "system's service: $(systemctl is-enabled dragoman.service 2>&1)"
systemctl start dragoman.service
say "system's service, once it is started: $(systemctl is-active dragoman.service)"
systemctl stop dragoman.service
# Another user's home cannot be written to.
useradd --create-home --shell /bin/bash ben
mount --bind /home/ben /home/ben && mount -o remount,ro,bind /home/ben
ben() { (cd / && runuser -u ben -- env XDG_RUNTIME_DIR="/run/user/$(id -u ben)" HOME=/home/ben LC_ALL=C.UTF-8 "$@"); }
loginctl enable-linger ben
say "read-only home: $(ben dragoman translate --from en --to de --text 'The house is big.' 2>/dev/null)"
for try in $(seq 300); do
	ben dragoman service logs 2>/dev/null | grep -q 'read-only file system' && break
	sleep 0.2
done
ben dragoman service logs 2>/dev/null | grep -o 'read-only file system' | tail -n 1 | sed 's/^/= its service: /'
loginctl disable-linger ben
systemctl stop "user@$(id -u ben)"
umount /home/ben
userdel --remove ben 2>/dev/null
say "tray at login: $(user systemctl --user is-enabled dragoman-tray.service)"

wait_in_queue
install "upgrade" new.deb
running
queue

install "downgrade" old.deb
install "twice" new.deb
running
# The power fails while dpkg works.
setsid dpkg -i /share/new.deb >/dev/null 2>&1 &
dpkg=$!
sleep 0.7
kill -KILL -- -$dpkg 2>/dev/null && echo "dpkg was killed"
wait $dpkg 2>/dev/null
install "after a kill" new.deb
say "state: $(dpkg-query -W -f '${Status}' dragoman)"
running

dpkg -r dragoman >/dev/null 2>&1
say "remove: exit $?"
say "service of the user: $(user systemctl --user is-active dragoman.service)"
dpkg -P dragoman >/dev/null 2>&1
say "purge: exit $?"
getent passwd dragoman && say "the account is there"
getent group dragoman && say "the group is there"
user dragoman 2>/dev/null && say "the program is there"
find / -xdev -not -path '/proc/*' -not -path '/share/*' -not -path '/sys/*' -not -path '/run/*' | sort >/tmp/after
comm -13 /tmp/before /tmp/after | grep -v -e '^/home/anna' -e '^/tmp' -e '^/var/log' -e '^/var/lib/dpkg' -e '^/var/cache' -e '^/etc/\(passwd\|group\|shadow\|gshadow\)-$' -e '^/var/lib/systemd' -e ldconfig | sed 's/^/= left: /'
find /var/lib/dpkg /var/cache /var/lib/systemd /var/log -iname '*dragoman*' | sed 's/^/= left: /'
say "home: $(cd /home/anna && find . -maxdepth 4 -name 'dragoman' | sort | xargs)"
say end
