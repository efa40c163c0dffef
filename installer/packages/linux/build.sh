#!/bin/sh
# build.sh VERSION DIST: makes the packages of linux from the programs in
# build/release and the runtime in build/data. NFPM and HOST_DRAGOMAN are programs.
set -eu
version=$1 dist=$2
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/installer/packages/linux
COMMIT=$(git -C "$root" rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
PACKAGE_VERSION=$version
SCRIPTS=$dist/scripts
export COMMIT SOURCE_DATE_EPOCH PACKAGE_VERSION SCRIPTS
mkdir -p "$SCRIPTS"
for script in preinstall postinstall preremove postremove; do
	sed -e "/^FUNCTIONS$/{r $here/functions.sh
d}" "$here/$script.sh" >"$SCRIPTS/$script.sh"
done

pack() { # package, other package, architecture, compression, runtime
	PACKAGE=$1 OTHER_PACKAGE=$2 ARCH=$3 COMPRESSION=$4 STAGE=$dist/stage/$1-$3
	export PACKAGE OTHER_PACKAGE ARCH STAGE
	sh "$here/stage.sh" "$root/build/release/linux-$3" "$STAGE" "$5"
	sed -e "s|@PACKAGE@|$PACKAGE|; s|@OTHER_PACKAGE@|$OTHER_PACKAGE|; s|@ARCH@|$ARCH|; s|@PACKAGE_VERSION@|$PACKAGE_VERSION|" \
		-e "s|@STAGE@|$STAGE|; s|@SCRIPTS@|$SCRIPTS|; s|@COMPRESSION@|$COMPRESSION|" "$here/nfpm.yaml" >"$SCRIPTS/nfpm.yaml"
	for format in deb rpm; do
		"$NFPM" package --config "$SCRIPTS/nfpm.yaml" --packager $format --target "$dist/"
	done
}
# Packing weights and libraries by xz takes minutes and gains little; dpkg reads zstd since Debian 12.
pack dragoman dragoman-slim amd64 zstd "$root/build/data/runtime/$(sed -n 1p "$root/build/data/runtime/current")"
for arch in amd64 arm64; do
	pack dragoman-slim dragoman $arch xz ""
done
rm -rf "$SCRIPTS" "$dist/stage"
ls -l "$dist"
