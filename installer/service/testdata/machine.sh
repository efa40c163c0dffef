#!/bin/sh
# Makes the folder $1 into a small Debian machine that systemd-nspawn can boot,
# with the user "tester" (1000) and further packages $2. Takes a network, a minute
# and 220 MB.
set -eu
tree=$1
parts=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,procps${2:+,$2}
mkdir -p "$(dirname "$tree")"
mmdebstrap --quiet --variant=minbase --include=$parts bookworm "$tree"
chroot "$tree" useradd --create-home --uid 1000 --shell /bin/bash tester
: >"$tree/etc/machine-id"        # a new one at each boot
mkdir -p "$tree/var/log/journal" # the journal of users outlives a boot
# No test needs these, and each of them delays the boot.
for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service getty.target console-getty.service; do
	ln -sf /dev/null "$tree/etc/systemd/system/$unit"
done
touch "$tree/.complete"
