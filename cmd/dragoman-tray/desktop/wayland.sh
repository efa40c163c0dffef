#!/usr/bin/env bash
# wayland.sh - run by run.sh: sway in a window of Xvfb, with waybar: the icon is
# shown and what is copied twice by wl-copy is translated. sway refuses root, so
# root runs the whole session as nobody, who needs copies of what is root's.
text='The meeting starts at ten.'
out=$DRAGOMAN_TEST_OUT
if [ "${1:-}" != --inner ]; then
  dir=$(mktemp -d); . "$(dirname "$0")/lib.sh"; trap finish EXIT; trap 'exit 130' INT TERM
  Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp -noreset 3>"$dir/display" >"$dir/xvfb.log" 2>&1 & pids+=($!)
  until_true "an X server" test -s "$dir/display"
  export DISPLAY=:$(cat "$dir/display")
  unset WAYLAND_DISPLAY
  mkdir "$dir/session"; cp "$(dirname "$0")"/*.sh "$dir/session"; cp -r "$DRAGOMAN_TEST_PROGRAMS" "$dir/session/programs"; cp -r "$DRAGOMAN_MODEL" "$dir/session/model"
  if [ -z "${DRAGOMAN_OPENVINO:-}" ] && [ -d "${DRAGOMAN_DATA:-}/runtime/current" ]; then
    mkdir -p "$dir/session/data/runtime"; cp -rL "$DRAGOMAN_DATA/runtime/current" "$dir/session/data/runtime/current"
    export DRAGOMAN_DATA=$dir/session/data
  fi
  as=()
  if [ "$(id -u)" = 0 ]; then
    chmod 711 "$dir"; chown -R nobody: "$dir/session"
    as=(setpriv --reuid nobody --regid "$(id -g nobody)" --clear-groups)
  fi
  # A runtime that DRAGOMAN_OPENVINO names must be one that nobody may read.
  env DRAGOMAN_TEST_PROGRAMS="$dir/session/programs" DRAGOMAN_MODEL="$dir/session/model" DRAGOMAN_CACHE="$dir/session/cache" \
    DRAGOMAN_TEST_OUT="$dir/session" "${as[@]}" bash "$dir/session/wayland.sh" --inner
  status=$?
  cp "$dir/session"/*.png "$out"
  exit $status
fi
dir=$(mktemp -d); . "$(dirname "$0")/lib.sh"; trap finish EXIT; trap 'exit 130' INT TERM
session
export XDG_SESSION_TYPE=wayland XDG_CURRENT_DESKTOP=sway
printf 'output X11-1 resolution 1024x768\noutput * bg #3a5f7d solid_color\nxwayland disable\n' >"$dir/sway.conf"
WLR_BACKENDS=x11 WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman begin sway sway -c "$dir/sway.conf"
screen=$DISPLAY; unset DISPLAY
compositor() { for f in "$XDG_RUNTIME_DIR"/wayland-*; do case $f in *.lock) ;; *) [ -S "$f" ] && export WAYLAND_DISPLAY=${f##*/};; esac; done; [ -n "${WAYLAND_DISPLAY:-}" ]; }
until_true "a compositor" compositor
printf '{"position":"top","height":32,"modules-left":["tray"],"tray":{"icon-size":22}}\n' >"$dir/waybar.json"
printf 'window { background: #222; } #tray { padding: 0 6px; }\n' >"$dir/waybar.css"
begin waybar waybar -c "$dir/waybar.json" -s "$dir/waybar.css"
until_true "a panel" gdbus call --session -d org.freedesktop.DBus -o /org/freedesktop/DBus -m org.freedesktop.DBus.GetNameOwner org.kde.StatusNotifierWatcher
until_true "the service" ready
begin tray dragoman-tray --verbose
until_true "an icon" items
sleep 1.5
for _ in 1 2; do printf %s "$text" >"$dir/text"; wl-copy <"$dir/text"; sleep 0.4; done
until_true "a translation" translated diez
replaced() { [ "$(wl-paste --no-newline | grep -c diez)" = 1 ]; }
dragoman config set clipboard.replace true >/dev/null
for _ in 1 2; do printf %s x-secret | wl-copy --type x-kde-passwordManagerHint; sleep 0.4; done
for _ in 1 2; do wl-copy <"$dir/text"; sleep 0.4; done
until_true "the translation on the clipboard" replaced
jobs=$(dragoman jobs | grep -c clipboard)
[ "$jobs" = 2 ] || fail "2 copies and $jobs jobs: $(dragoman jobs)"
sleep 1
DISPLAY=$screen import -window root "$DRAGOMAN_TEST_OUT/wayland-all.png"
echo "wayland: copied twice by wl-copy, translated, and with clipboard.replace pasted; a mark gave no job"
