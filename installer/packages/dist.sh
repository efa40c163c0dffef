#!/bin/sh
# dist.sh VERSION DIST: makes everything of a release in DIST, from the programs in
# build/release and the runtimes in build/data and build/windows-amd64. NFPM, SBOM and
# HOST_DRAGOMAN are programs: nfpm, cyclonedx-gomod and a dragoman that runs here.
# The same commit gives the same bytes; SIGN, see windows/build.sh, does not.
set -eu
version=$1 dist=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/installer/packages
COMMIT=$(git -C "$root" rev-parse HEAD)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
PACKAGE_VERSION=$version
# Files and times must not depend on who builds.
LC_ALL=C TZ=UTC
umask 022
export COMMIT SOURCE_DATE_EPOCH PACKAGE_VERSION LC_ALL TZ
rm -rf "$dist"
mkdir -p "$dist/.work"
LICENCES=$dist/.work/licences
CHANGELOG=$dist/.work/CHANGELOG
export LICENCES CHANGELOG
sh "$here/licences.sh" "$LICENCES"
sh "$here/changelog.sh" "$version" >"$CHANGELOG"

runtime() { # data folder: its runtime
	[ ! -f "$1/runtime/current" ] || echo "$1/runtime/$(sed -n 1p "$1/runtime/current")"
}
RUNTIME=$(runtime "$root/build/data") sh "$here/linux/build.sh" "$version" "$dist"
RUNTIME=$(runtime "$root/build/data") sh "$here/archive/build.sh" "$version" "$dist"
if command -v makensis >/dev/null 2>&1; then
	RUNTIME=$(runtime "$root/build/windows-amd64") sh "$here/windows/build.sh" "$version" "$dist"
else
	echo "dist.sh: without makensis (Debian: nsis) there is no installer for Windows" >&2
fi
sh "$here/sbom.sh" "$version" "$dist"
cp "$CHANGELOG" "$dist/CHANGELOG"
(cd "$LICENCES/.." && tar --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -I "gzip -9n" -cf "$dist/licences.tar.gz" licences)
rm -rf "$dist/.work"
(cd "$dist" && sha256sum -- * >.SHA256SUMS && mv .SHA256SUMS SHA256SUMS)
ls -l "$dist"
