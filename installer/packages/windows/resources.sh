#!/bin/sh
# resources.sh VERSION FILE_VERSION WORK: makes what Windows reads in a program's
# file besides its code (icon, version, manifest) and puts it beside the sources
# of each program, where go build takes it from: cmd/PROGRAM/resources_windows_*.syso,
# which git ignores. WINRES is github.com/tc-hib/go-winres.
set -eu
version=$1 file_version=$2 work=$3
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/installer/packages/windows
for program in dragoman dragomand dragoman-tray; do
	case $program in
	dragoman) description='Dragoman, the translator on this machine' ;;
	dragomand) description='Dragoman service' ;;
	dragoman-tray) description='Dragoman' ;; # what the Task Manager and Windows' settings call it
	esac
	rm -rf "$work"
	mkdir -p "$work"
	for file in winres.json dragoman.manifest; do
		sed -e "s|@PROGRAM@|$program|g; s|@VERSION@|$version|g; s|@FILE_VERSION@|$file_version|g; s|@DESCRIPTION@|$description|g" "$here/$file" >"$work/$file"
	done
	cp "$root/assets/icons/ico/ready.ico" "$work/"
	"$WINRES" make --in "$work/winres.json" --arch amd64,arm64 --out "$work/resources"
	for arch in amd64 arm64; do
		mv "$work/resources_windows_$arch.syso" "$root/cmd/$program/"
	done
done
rm -rf "$work"
