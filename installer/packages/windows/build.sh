#!/bin/sh
# build.sh VERSION DIST: makes the installers of Windows from the programs in
# build/release/windows-amd64, and the runtime in build/windows-amd64 for the whole
# one. Needs makensis (Debian: nsis). With SIGN set, that command signs each program
# and installer, given as its argument (see sign.sh).
set -eu
version=$1 dist=$2
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/installer/packages/windows
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
programs=${PROGRAMS:-$root/build/release/windows-amd64}
work=$dist/windows-stage
rm -rf "$work"
mkdir -p "$work/programs" "$work/docs" "$work/model"
cp "$programs"/dragoman.exe "$programs"/dragomand.exe "$programs"/dragoman-tray.exe "$work/programs/"
if [ -n "${SIGN:-}" ]; then
	for program in "$work"/programs/*.exe; do $SIGN "$program"; done
fi
cp "$root/LICENSE" "$root/NOTICE" "$work/docs/"
[ -z "${LICENCES:-}" ] || cp -R "$LICENCES" "$work/docs/modules"
for file in config.json generation_config.json model.safetensors sentencepiece.bpe.model special_tokens_map.json tokenizer_config.json vocab.json README.md; do
	cp "$root/assets/starter/$file" "$work/model/"
done
if [ -n "${RUNTIME:-}" ]; then
	mkdir -p "$work/runtime"
	for file in "$RUNTIME"/*; do
		case ${file##*/} in
		licenses) cp -R "$file" "$work/docs/openvino" ;;
		manifest.json) ;;
		*) cp "$file" "$work/runtime/" ;;
		esac
	done
fi
find "$work" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

# Minutes since 1970 fit into the 31 bits of a registry number.
build=$((SOURCE_DATE_EPOCH / 60))
pack() { # file, kilobytes, compression, further definitions
	out=$1 size=$2 compression=$3
	shift 3
	makensis -V2 -DPROGRAMS="$work/programs" -DDOCS="$work/docs" -DICON="$root/assets/icons/ico/ready.ico" \
		-DVERSION="$version" -DFILE_VERSION="${FILE_VERSION:-0.1.0.0}" -DBUILD="${BUILD:-$build}" -DSIZE="$size" -DOUT="$out" \
		-DCOMPRESSION="${COMPRESSION:-$compression}" ${SIGN:+-DFINISH="$SIGN"} "$@" "$here/setup.nsi"
	[ -z "${SIGN:-}" ] || $SIGN "$out"
}
kilobytes() { du -sk --apparent-size "$@" | awk '{n += $1} END {print n}'; }
# As for Linux: packing weights and libraries tightly takes very long, and gains little.
if [ -n "${RUNTIME:-}" ]; then
	pack "$dist/dragoman-setup-$version-amd64.exe" "$(kilobytes "$work/programs" "$work/docs" "$work/runtime" "$work/model")" zlib \
		-DRUNTIME="$work/runtime" -DMODEL="$work/model"
fi
pack "$dist/dragoman-slim-setup-$version-amd64.exe" "$(kilobytes "$work/programs" "$work/docs")" lzma
rm -rf "$work"
