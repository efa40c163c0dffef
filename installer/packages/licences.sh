#!/bin/sh
# licences.sh OUT: collects the licences and notices of all Go modules that any of
# the released programs is made of, a folder a module, and of Go itself. It is an
# error where a module has none.
set -eu
out=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
rm -rf "$out"
mkdir -p "$out"
# No pipe: where go fails, so does this.
modules=$(for target in linux/amd64 linux/arm64 windows/amd64 windows/arm64; do
	GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 go list -deps \
		-f '{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/... || exit
done)
{
	echo "go@$(go env GOVERSION) $(go env GOROOT)"
	echo "$modules" | sort -u
} | while read -r module dir; do
	[ -n "$module" ] || continue
	mkdir -p "$out/$module"
	found=
	for file in "$dir"/[Ll][Ii][Cc][Ee][Nn][SsCc][Ee]* "$dir"/[Cc][Oo][Pp][Yy][Ii][Nn][Gg]* "$dir"/NOTICE* "$dir"/AUTHORS "$dir"/PATENTS; do
		[ -f "$file" ] || continue
		cp "$file" "$out/$module/"
		found=$file
	done
	if [ -z "$found" ]; then
		echo "licences.sh: $module has no licence in $dir" >&2
		exit 1
	fi
done
find "$out" -type f -exec chmod 644 {} +
find "$out" -type d -exec chmod 755 {} +
