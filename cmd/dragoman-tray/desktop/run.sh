#!/usr/bin/env bash
# run.sh PROGRAMS MODEL OUT - dragoman-tray in real panels: Xvfb with xfce4-panel
# and dunst, then sway with waybar in a window of Xvfb. PROGRAMS is the folder of
# dragoman, dragomand and dragoman-tray; screenshots go to OUT. The runtime and
# the cache are those of DRAGOMAN_OPENVINO, DRAGOMAN_DATA and DRAGOMAN_CACHE.
# What is missing is installed by apt. It ends with 0 if all was as it must be
# and nothing that it started is left.
set -u
here=$(cd "$(dirname "$0")" && pwd)
programs=$(cd "$1" && pwd) model=$(cd "$2" && pwd)
mkdir -p "$3"; out=$(cd "$3" && pwd)

declare -A package=([Xvfb]=xvfb [dbus-daemon]=dbus [openbox]=openbox [xfce4-panel]=xfce4-panel [dunst]=dunst [xdotool]=xdotool
  [import]=imagemagick [xclip]=xclip [gdbus]=libglib2.0-bin [xwininfo]=x11-utils [sway]=sway [waybar]=waybar [wl-copy]=wl-clipboard [setpriv]=util-linux)
missing=()
for program in "${!package[@]}"; do command -v "$program" >/dev/null || missing+=("${package[$program]}"); done
if [ ${#missing[@]} -gt 0 ]; then
  as=(); [ "$(id -u)" = 0 ] || as=(sudo)
  echo "installing ${missing[*]}"
  "${as[@]}" apt-get -qq update && DEBIAN_FRONTEND=noninteractive "${as[@]}" apt-get -qq install -y --no-install-recommends "${missing[@]}" adwaita-icon-theme fonts-dejavu-core >/dev/null ||
    { echo "install them: apt-get install ${missing[*]}" >&2; exit 1; }
fi

# A mark in the environment finds what is left, whoever started it.
export DRAGOMAN_TEST_MARK=desktop-$$
left() { grep -lsz "^DRAGOMAN_TEST_MARK=$DRAGOMAN_TEST_MARK\$" /proc/[0-9]*/environ | cut -d/ -f3 | grep -vx -e $$ -e $BASHPID; }
status=0
for part in x11 wayland; do
  DRAGOMAN_TEST_PROGRAMS=$programs DRAGOMAN_MODEL=$model DRAGOMAN_TEST_OUT=$out bash "$here/$part.sh" || { echo "$part: FAILED" >&2; status=1; }
  for _ in $(seq 50); do [ -z "$(for p in $(left); do [ -e "/proc/$p/exe" ] && echo "$p"; done)" ] && break; sleep 0.1; done
  for p in $(left); do
    [ -e "/proc/$p/cmdline" ] && [ -n "$(tr -d '\0' <"/proc/$p/cmdline")" ] && { echo "$part left process $p: $(tr '\0' ' ' <"/proc/$p/cmdline")" >&2; status=1; }
  done
done
[ $status = 0 ] && echo "all as it must be; screenshots are in $out"
exit $status
