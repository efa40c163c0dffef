#!/bin/sh
# build.sh VERSION DIST: makes the archives for a home without root from the
# programs in build/release (or PROGRAMS) and, for the whole one, the runtime in
# RUNTIME: the tree of the Linux packages without what belongs to the system. The slim
# ones are packed by xz, which sees what the programs have in common and gzip does not.
# ARCHITECTURES are those of the slim one, LEVEL is how hard gzip tries.
set -eu
version=$1 dist=$2
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/installer/packages
pack() { # name, architecture, runtime, ending, what packs
	name=$1-$version-linux-$2
	PACKAGE=$1 sh "$here/linux/stage.sh" "${PROGRAMS:-$root/build/release}/linux-$2" "$dist/stage" "$3"
	mv "$dist/stage/usr" "$dist/$name"
	rm -rf "$dist/$name/lib/systemd" "$dist/$name/lib/sysusers.d"
	rmdir "$dist/$name/lib" 2>/dev/null || true
	install -m 755 "$here/archive/install.sh" "$dist/$name/install.sh"
	echo "$version" >"$dist/$name/VERSION"
	touch -d "@$SOURCE_DATE_EPOCH" "$dist/$name/VERSION" "$dist/$name/install.sh" "$dist/$name"
	find "$dist/$name" -type d -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
	(cd "$dist" && tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner -I "$5" -cf "$name.tar.$4" "$name")
	rm -rf "${dist:?}/$name" "$dist/stage" "$dist/stage.conffiles"
}
if [ -n "${RUNTIME:-}" ]; then
	pack dragoman amd64 "$RUNTIME" gz "gzip -${LEVEL:-6}n"
fi
for arch in ${ARCHITECTURES-amd64 arm64}; do
	pack dragoman-slim "$arch" "" xz "xz -9 --threads=1"
done
