#!/bin/sh
# pack.sh FORMAT OUT: makes one package (deb or rpm) of the tree in STAGE; nfpm.yaml
# says which variables it needs. NFPM is a program.
set -eu
format=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$SCRIPTS"
for script in preinstall postinstall preremove postremove; do
	sed -e "/^FUNCTIONS$/{r $here/functions.sh
d}" "$here/$script.sh" >"$SCRIPTS/$script.sh"
done
sed -e "s|@PACKAGE@|$PACKAGE|; s|@OTHER_PACKAGE@|$OTHER_PACKAGE|; s|@ARCH@|$ARCH|; s|@PACKAGE_VERSION@|$PACKAGE_VERSION|" \
	-e "s|@STAGE@|$STAGE|; s|@SCRIPTS@|$SCRIPTS|; s|@COMPRESSION@|$COMPRESSION|" "$here/nfpm.yaml" >"$SCRIPTS/nfpm.yaml"
"$NFPM" package --config "$SCRIPTS/nfpm.yaml" --packager "$format" --target "$out"
