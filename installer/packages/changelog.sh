#!/bin/sh
# changelog.sh VERSION: writes what changed since the last release, or since the
# beginning, in the words of the commits, by area.
set -eu
version=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
last=$(git describe --tags --abbrev=0 HEAD^ 2>/dev/null || true)
printf 'Dragoman %s (%s)\n' "$version" "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)"
git log --no-merges --format=%s ${last:+"$last"..}HEAD | awk -F ': ' '
	NF > 1 {
		text = substr($0, length($1) + 3)
		if (!($1 in lines)) areas[++n] = $1
		lines[$1] = lines[$1] "  * " text "\n"
	}
	END { for (i = 1; i <= n; i++) printf "\n%s\n%s", areas[i], lines[areas[i]] }'
