# booted.sh: what the scripts in a booted machine share. Lines that begin with "= "
# are what the tests look at.
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
drop() { # a folder to translate from, and the first file
	user mkdir Translate
	user dragoman folders add /home/anna/Translate --to de >/dev/null 2>&1
	echo 'The house is big.' >/tmp/a.txt
	user cp /tmp/a.txt Translate/a.txt
	appears /home/anna/Translate/translated/a.de.txt
}
translated() { find /home/anna/Translate/translated -name 'q*.de.txt' | wc -l; }
wait_in_queue() { # so many files
	for n in $(seq 40); do
		printf 'The house number %s is big.\nThe dog is small.\nWhere is the station?\n' "$n" >"/tmp/q$n.txt"
	done
	user sh -c 'cp /tmp/q*.txt Translate/'
	before=$(translated)
}
queue() { # each is translated once
	for try in $(seq 900); do
		[ "$(translated)" = 40 ] && break
		sleep 0.2
	done
	[ "$before" -lt 40 ] && say "files waited"
	say "queue: $(find /home/anna/Translate/translated -name 'q*.txt' | wc -l) files, $(cat /home/anna/Translate/translated/q*.de.txt | grep -c .) lines"
	say "failed: $(find /home/anna/Translate -name '*fail*' -o -name '*.error*' | wc -l)"
}
