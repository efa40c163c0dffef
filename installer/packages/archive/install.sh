#!/bin/sh
# Installs dragoman for one user, without root, or removes it again:
#
#   ./install.sh                into ~/.local/opt/dragoman, with links in ~/.local
#   ./install.sh --no-service   without starting anything at login
#   ./install.sh --downgrade    over a newer version
#   ./install.sh --remove       models, history and settings stay
#   ./install.sh --remove --purge
set -eu
fail() {
	echo "install.sh: $*" >&2
	exit 1
}
from=$(cd "$(dirname "$0")" && pwd)
service=yes downgrade= remove= purge=
for option; do
	case $option in
	--no-service) service= ;;
	--downgrade) downgrade=yes ;;
	--remove) remove=yes ;;
	--purge) purge=yes ;;
	*) fail "unknown option $option: $(sed -n 's/^#   //p' "$0" | tr -s ' ' | tr '\n' ';')" ;;
	esac
done
[ -n "${HOME:-}" ] && [ -d "$HOME" ] || fail "there is no home folder: set HOME"
[ -z "$purge" ] || [ -n "$remove" ] || fail "--purge goes with --remove"
data=${XDG_DATA_HOME:-$HOME/.local/share}
config=${XDG_CONFIG_HOME:-$HOME/.config}
cache=${XDG_CACHE_HOME:-$HOME/.cache}
state=${XDG_STATE_HOME:-$HOME/.local/state}
bin=$HOME/.local/bin
base=$HOME/.local/opt/dragoman
programs='dragoman dragomand dragoman-tray'
managed() { # whether this user has a service manager that answers
	[ -d /run/systemd/system ] && systemctl --user show-environment >/dev/null 2>&1
}

# links names what is made outside of base, a line each: target and file in base,
# with a tab between them since folders may have spaces in their names.
tab=$(printf '\t')
links() { # folder of the program
	for program in $programs; do
		echo "$bin/$program$tab$1/bin/$program"
	done
	(cd "$1/share" && find man icons bash-completion fish zsh -type f 2>/dev/null) | while read -r file; do
		case $file in
		fish/vendor_completions.d/*) target=$config/fish/completions/${file##*/} ;;
		zsh/*) continue ;; # zsh has no folder of a user's
		*) target=$data/$file ;;
		esac
		echo "$target$tab$1/share/$file"
	done
}
# prune removes a folder that is empty now, and those above it up to the home.
prune() {
	folder=$1
	while [ "$folder" != "$HOME" ] && [ -n "$folder" ] && rmdir "$folder" 2>/dev/null; do
		folder=${folder%/*}
	done
}
unlink_all() { # folder of the program
	links "$1" | while IFS=$tab read -r target file; do
		if [ -L "$target" ] && [ "$(readlink "$target")" = "$file" ]; then
			rm -f "$target"
			prune "${target%/*}"
		fi
	done
}

if [ -n "$remove" ]; then
	[ ! -e "$base" ] || [ -w "$base" ] || fail "$base cannot be written, so nothing was removed"
	if [ -x "$base/bin/dragoman" ]; then
		managed && "$base/bin/dragoman" service uninstall >/dev/null 2>&1 || true
		"$base/bin/dragoman-tray" uninstall >/dev/null 2>&1 || true
		unlink_all "$base"
	fi
	rm -f "$data/applications/dragoman-tray.desktop"
	rm -rf "$base" "$base.new" "$base.old" "$cache/dragoman"
	if [ -n "$purge" ]; then
		rm -rf "$data/dragoman" "$config/dragoman" "$state/dragoman"
		echo "Dragoman, its models, history and settings are gone."
	else
		echo "Dragoman is gone. Kept: $data/dragoman, $config/dragoman, $state/dragoman"
	fi
	for made in "$data/applications" "$data" "$state" "$cache" "$HOME/.local/opt" "$bin" "$config/systemd/user" "$config/autostart" "$config"; do
		prune "$made"
	done
	exit 0
fi

[ -x "$from/bin/dragoman" ] || fail "$from/bin/dragoman is missing: unpack the whole archive and run install.sh from there"
[ "$from" != "$base" ] || fail "this is the installed one: run the install.sh of the archive"
"$from/bin/dragoman" --version >/dev/null || fail "the programs do not run on this machine ($(uname -sm)): take the archive for it"
if [ -f "$base/VERSION" ] && [ -z "$downgrade" ]; then
	newer=$(printf '%s\n%s\n' "$(cat "$base/VERSION")" "$(cat "$from/VERSION")" | sort -V | tail -n 1)
	[ "$newer" = "$(cat "$from/VERSION")" ] || fail "$newer is installed, and this version may not read what it has stored. To go back: keep a copy of $state/dragoman and add --downgrade"
fi
mkdir -p "$base.new" "$bin" || fail "$HOME/.local cannot be written: make it so, or install elsewhere by HOME=FOLDER ./install.sh"
need=$(du -sk "$from" | cut -f 1)
free=$(df -Pk "$base.new" | awk 'NR == 2 {print $4}')
[ "$free" -gt $((need + 1024)) ] || {
	rmdir "$base.new"
	fail "$((need / 1024)) MB are needed in $HOME, $((free / 1024)) MB are free"
}
# The new program is whole before it takes the old one's place: who is stopped in
# the middle runs this again.
rm -rf "$base.new"
mkdir "$base.new"
cp -R "$from/." "$base.new/" || {
	rm -rf "$base.new"
	fail "not everything could be copied; what was installed is as it was"
}
if [ -d "$base" ]; then
	unlink_all "$base"
	rm -rf "$base.old"
	mv "$base" "$base.old"
fi
mv "$base.new" "$base"
rm -rf "$base.old"
links "$base" | while IFS=$tab read -r target file; do
	mkdir -p "${target%/*}"
	ln -sf "$file" "$target"
done
mkdir -p "$data/applications"
sed "s|^Exec=[^ ]*|Exec=\"$base/bin/dragoman-tray\"|; s|^TryExec=.*|TryExec=$base/bin/dragoman-tray|" \
	"$base/share/applications/dragoman-tray.desktop" >"$data/applications/dragoman-tray.desktop"

echo "Dragoman $(cat "$base/VERSION") is in $base"
case :$PATH: in
*:"$bin":*) ;;
*) echo "To call it by its name: add $bin to PATH" ;;
esac
[ -n "$service" ] || exit 0
if managed; then
	"$base/bin/dragoman" service install
else
	echo "There is no systemd for this user: start the service by $bin/dragomand"
fi
"$base/bin/dragoman-tray" install
