#!/bin/sh
# sbom.sh VERSION DIST: writes a bill of materials (CycloneDX) of each program for
# each target: its modules with their checksums and licences as they were told from
# the texts. SBOM is cyclonedx-gomod.
set -eu
version=$1 dist=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
time=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
for target in linux/amd64 linux/arm64 windows/amd64 windows/arm64; do
	for program in dragoman dragomand dragoman-tray; do
		out=$dist/$program-$version-$(echo $target | tr / -).cdx.json
		GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 "$SBOM" app -json -noserial -std -licenses -main "cmd/$program" -output "$out" . 2>"$out.log" || {
			cat "$out.log" >&2
			exit 1
		}
		rm -f "$out.log"
		sed -i "s|\"timestamp\": \"[^\"]*\"|\"timestamp\": \"$time\"|" "$out"
	done
done
