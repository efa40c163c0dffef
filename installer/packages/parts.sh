#!/bin/sh
# parts.sh FOLDER TOOL...: fetches into FOLDER what a release is built of, for `make dist
# PARTS=FOLDER` on a machine without a network: OpenVINO's wheels of the platforms that
# installer/ovruntime pins, and the Go modules of dragoman and of the tools, MODULE@VERSION.
# Go checks the modules here; there it has the checksums of go.sum.
set -eu
folder=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
pins=$root/installer/ovruntime/pin.go
mkdir -p "$folder"
for platform in $(sed -n 's/^\t\t"\([a-z]*_[a-z0-9_]*\)",$/\1/p' "$pins"); do
	python3 -m pip download --quiet --no-deps --only-binary :all: --python-version 3.11 --implementation cp --abi cp311 \
		--platform "$platform" --dest "$folder" "openvino==$(sed -n 's/^const PinnedVersion = "\(.*\)"/\1/p' "$pins")"
done
GOMODCACHE=$folder/modules GOFLAGS=-modcacherw GOBIN=$folder/none
export GOMODCACHE GOFLAGS GOBIN
(cd "$root" && go mod download)
for tool in "$@"; do
	go install -n "$tool" 2>/dev/null # fetches its modules, and builds nothing
done
# Go takes modules from where they are packed.
find "$folder/modules" -mindepth 1 -maxdepth 1 ! -name cache -exec rm -rf {} +
ls "$folder"
