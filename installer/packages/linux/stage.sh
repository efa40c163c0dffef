#!/bin/sh
# stage.sh PROGRAMS OUT [RUNTIME]: makes the tree of a Linux package in OUT, from the
# folder of its programs and, for the whole package, that of OpenVINO's runtime.
# HOST_DRAGOMAN is a dragoman that runs here: the manual and the completions do not
# depend on the machine. SOURCE_DATE_EPOCH is the time of all files
# (reproducible-builds.org), so that the same commit gives the same bytes. What an
# administrator may change is in OUT.conffiles.
set -eu
programs=$1 out=$2 runtime=${3:-}
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/installer/packages/linux
rm -rf "$out" "$out.conffiles"
put() { # mode, source, target
	install -D -m "$1" "$2" "$out/$3"
}

for program in dragoman dragomand dragoman-tray; do
	put 755 "$programs/$program" "usr/bin/$program"
done
put 644 "$root/assets/units/dragoman.user.service" usr/lib/systemd/user/dragoman.service
put 644 "$root/assets/units/dragoman-tray.service" usr/lib/systemd/user/dragoman-tray.service
put 644 "$root/assets/units/dragoman.system.service" usr/lib/systemd/system/dragoman.service
put 644 "$root/assets/units/dragoman.sysusers" usr/lib/sysusers.d/dragoman.conf
# A machine without udev, such as a container, lacks the group that the unit names,
# and its system's service would not start.
echo "g render -" >>"$out/usr/lib/sysusers.d/dragoman.conf"
put 644 "$here/80-dragoman.preset" usr/lib/systemd/user-preset/80-dragoman.preset
put 644 "$here/80-dragoman-system.preset" usr/lib/systemd/system-preset/80-dragoman.preset
install -D -m 644 "$root/assets/units/dragoman-tray.desktop" "$out.conffiles/dragoman-tray.desktop"
put 644 "$root/assets/units/dragoman-tray.desktop" usr/share/applications/dragoman-tray.desktop
sed -i /X-systemd-skip/d "$out/usr/share/applications/dragoman-tray.desktop"
sed -i '/^# Where systemd starts/d' "$out/usr/share/applications/dragoman-tray.desktop"
put 644 "$here/dragoman.metainfo.xml" usr/share/metainfo/io.github.dragoman.metainfo.xml
for size in 16 22 24 32 48 64; do
	put 644 "$root/assets/icons/png/ready-$size.png" "usr/share/icons/hicolor/${size}x$size/apps/dragoman.png"
done

mkdir -p "$out/usr/share/man/man1"
"$HOST_DRAGOMAN" man "$out/usr/share/man/man1" >/dev/null
put 644 "$here/dragomand.1" usr/share/man/man1/dragomand.1
put 644 "$here/dragoman-tray.1" usr/share/man/man1/dragoman-tray.1
gzip -9n "$out"/usr/share/man/man1/*
mkdir -p "$out/usr/share/bash-completion/completions" "$out/usr/share/zsh/vendor-completions" "$out/usr/share/fish/vendor_completions.d"
"$HOST_DRAGOMAN" completion bash >"$out/usr/share/bash-completion/completions/dragoman"
"$HOST_DRAGOMAN" completion zsh >"$out/usr/share/zsh/vendor-completions/_dragoman"
"$HOST_DRAGOMAN" completion fish >"$out/usr/share/fish/vendor_completions.d/dragoman.fish"

doc=usr/share/doc/$PACKAGE
put 644 "$here/copyright" "$doc/copyright"
put 644 "$root/NOTICE" "$doc/NOTICE"
printf '%s (%s) unstable; urgency=medium\n\n  * Built from commit %s.\n\n -- The dragoman authors <dragoman@localhost>  %s\n' \
	"$PACKAGE" "$PACKAGE_VERSION" "$COMMIT" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" >"$out/$doc/changelog"
gzip -9n "$out/$doc/changelog"

if [ -n "${CHANGELOG:-}" ]; then
	gzip -9n <"$CHANGELOG" >"$out/$doc/CHANGELOG.gz"
fi
# The licences of what the programs are made of, one after the other.
if [ -n "${LICENCES:-}" ]; then
	(cd "$LICENCES" && find . -type f | LC_ALL=C sort | while read -r file; do
		printf '\n===== %s\n\n' "${file#./}"
		cat "$file"
	done) | gzip -9n >"$out/$doc/licences.gz"
fi

if [ -n "$runtime" ]; then
	for file in "$runtime"/*; do
		case ${file##*/} in
		licenses) mkdir -p "$out/$doc/openvino" && cp -R "$file"/* "$out/$doc/openvino/" ;;
		manifest.json) ;;
		*) put 644 "$file" "usr/lib/dragoman/${file##*/}" ;;
		esac
	done
	for file in config.json generation_config.json model.safetensors sentencepiece.bpe.model special_tokens_map.json tokenizer_config.json vocab.json README.md; do
		put 644 "$root/assets/starter/$file" "usr/share/dragoman/models/starter/$file"
	done
fi
find "$out" -type d -exec chmod 755 {} +
find "$out/usr/share" "$out/usr/lib" -type f -exec chmod 644 {} +
find "$out" "$out.conffiles" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
