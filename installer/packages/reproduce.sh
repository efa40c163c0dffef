#!/bin/sh
# reproduce.sh BUILD: builds the commit of this checkout once more in a folder of its
# own, with a build cache of its own, and compares every file with those that `make
# dist` has made in BUILD/dist. The runtimes and tools of BUILD are used again.
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
[ -f "$build/dist/SHA256SUMS" ] || {
	echo "reproduce.sh: run \`make dist\` first" >&2
	exit 1
}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM # without, dash leaves what EXIT removes
# A clone, since cyclonedx-gomod cannot read linked worktrees.
git clone --quiet --no-checkout "$root" "$work/again"
git -C "$work/again" checkout --quiet --detach "$(git -C "$root" rev-parse HEAD)"
mkdir -p "$work/again/build/data" "$work/again/build/windows-amd64"
ln -s "$build/tools" "$work/again/build/tools"
ln -s "$build/data/runtime" "$work/again/build/data/runtime"
ln -s "$build/windows-amd64/runtime" "$work/again/build/windows-amd64/runtime"
GOCACHE=$work/cache make -C "$work/again" dist >"$work/log" 2>&1 || {
	tail -n 20 "$work/log" >&2
	exit 1
}
diff "$build/dist/SHA256SUMS" "$work/again/build/dist/SHA256SUMS" || {
	echo "reproduce.sh: these files differ" >&2
	exit 1
}
echo "all $(wc -l <"$build/dist/SHA256SUMS") files are the same"
