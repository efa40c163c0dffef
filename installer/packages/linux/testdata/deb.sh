# deb.sh: the life of the Debian package in a booted machine, from /share with
# old.deb and new.deb. Lines that begin with "= " are what the test looks at.
set -u
cd /
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
say() { printf '= %s\n' "$*"; }
useradd --create-home --shell /bin/bash anna
loginctl enable-linger anna
user() { (cd /home/anna && runuser -u anna -- env XDG_RUNTIME_DIR="/run/user/$(id -u anna)" HOME=/home/anna LC_ALL=C.UTF-8 "$@"); }
for try in $(seq 100); do
	[ -S "/run/user/$(id -u anna)/systemd/private" ] && break
	sleep 0.1
done
find / -xdev -not -path '/proc/*' -not -path '/share/*' -not -path '/sys/*' -not -path '/run/*' | sort >/tmp/before
install() { # name, package
	dpkg -i "/share/$2" >/tmp/dpkg.log 2>&1
	say "$1: exit $?, version $(dpkg-query -W -f '${Version}' dragoman 2>/dev/null)"
	# Whether it was refused on purpose, and what else dpkg says.
	sed -n 's/^dragoman: /= says: /p' /tmp/dpkg.log
	sed 's/^/dpkg: /' /tmp/dpkg.log
}
running() {
	for try in $(seq 300); do
		if [ "$(user systemctl --user is-active dragoman.service)" = active ] && user dragoman status >/dev/null 2>&1; then
			say "service of the user: active, $(user systemctl --user is-enabled dragoman.service)"
			return
		fi
		sleep 0.2
	done
	say "no service"
	user systemctl --user status dragoman.service --no-pager
}
appears() { # file
	for try in $(seq 600); do
		[ -f "$1" ] && break
		sleep 0.2
	done
	say "file: $(cat "$1" 2>&1)"
}

install "install" old.deb
running
say "translation: $(user dragoman translate --from en --to de --text 'The house is big.' 2>&1)"
user mkdir Translate
user dragoman folders add /home/anna/Translate --to de >/dev/null 2>&1
echo 'The house is big.' >/tmp/a.txt
user cp /tmp/a.txt Translate/a.txt
appears /home/anna/Translate/translated/a.de.txt
say "system's service: $(systemctl is-enabled dragoman.service 2>&1)"
systemctl start dragoman.service
say "system's service, once it is started: $(systemctl is-active dragoman.service)"
systemctl stop dragoman.service
say "tray at login: $(user systemctl --user is-enabled dragoman-tray.service)"

# An upgrade while files wait: each is translated once.
for n in $(seq 40); do
	printf 'The house number %s is big.\nThe dog is small.\nWhere is the station?\n' "$n" >"/tmp/q$n.txt"
done
user sh -c 'cp /tmp/q*.txt Translate/'
before=$(find /home/anna/Translate/translated -name 'q*.de.txt' | wc -l)
install "upgrade" new.deb
running
for try in $(seq 900); do
	[ "$(find /home/anna/Translate/translated -name 'q*.de.txt' | wc -l)" = 40 ] && break
	sleep 0.2
done
[ "$before" -lt 40 ] && say "files waited"
say "queue: $(find /home/anna/Translate/translated -name 'q*.txt' | wc -l) files, $(cat /home/anna/Translate/translated/q*.de.txt | grep -c .) lines"
say "failed: $(find /home/anna/Translate -name '*fail*' -o -name '*.error*' | wc -l)"

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
