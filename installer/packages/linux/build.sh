#!/bin/sh
# build.sh VERSION DIST: makes the packages of linux from the programs in
# build/release and, for the whole one, the runtime in RUNTIME. NFPM and HOST_DRAGOMAN
# are programs; dist.sh sets the other variables.
set -eu
version=$1 dist=$2
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/installer/packages/linux
SCRIPTS=$dist/scripts
PACKAGE_VERSION=$version
export SCRIPTS PACKAGE_VERSION

rpm_arch() { if [ "$1" = amd64 ]; then echo x86_64; else echo aarch64; fi; }
pack() { # package, other package, architecture, compression, runtime
	PACKAGE=$1 OTHER_PACKAGE=$2 ARCH=$3 COMPRESSION=$4 STAGE=$dist/stage/$1-$3
	export PACKAGE OTHER_PACKAGE ARCH COMPRESSION STAGE
	sh "$here/stage.sh" "$root/build/release/linux-$3" "$STAGE" "$5"
	for format in deb rpm; do
		sh "$here/pack.sh" $format "$dist/"
	done
	# The programs are much the same, and too large for nfpm to see it.
	if [ "$4" = none ]; then
		for file in "$dist/$1"[-_]*[._]"$3.deb" "$dist/$1"[-_]*."$(rpm_arch "$3")".rpm; do
			(cd "$root" && go run ./installer/packages/linux/solid "$file")
		done
	fi
}
# Packing weights and libraries by xz takes minutes and gains little; dpkg reads zstd since Debian 12.
if [ -n "${RUNTIME:-}" ]; then
	pack dragoman dragoman-slim amd64 zstd "$RUNTIME"
fi
for arch in amd64 arm64; do
	pack dragoman-slim dragoman $arch none ""
done
rm -rf "$SCRIPTS" "$dist/stage"
