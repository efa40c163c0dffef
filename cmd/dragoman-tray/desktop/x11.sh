#!/usr/bin/env bash
# x11.sh - run by run.sh: copy twice by xclip, see the notification, open the
# menu, click on the result, paste it; the same by a click on a notification.
dir=$(mktemp -d); . "$(dirname "$0")/lib.sh"; trap finish EXIT; trap 'exit 130' INT TERM
text='The meeting starts at ten.'
out=$DRAGOMAN_TEST_OUT
Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp -noreset 3>"$dir/display" >"$dir/xvfb.log" 2>&1 & pids+=($!)
until_true "an X server" test -s "$dir/display"
export DISPLAY=:$(cat "$dir/display") GDK_BACKEND=x11 XDG_SESSION_TYPE=x11 XDG_CURRENT_DESKTOP=XFCE
unset WAYLAND_DISPLAY
session
panel=$XDG_CONFIG_HOME/xfce4/xfconf/xfce-perchannel-xml; mkdir -p "$panel"
cat >"$panel/xfce4-panel.xml" <<'X'
<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array"><value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="32"/>
      <property name="icon-size" type="uint" value="22"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty"><property name="plugin-1" type="string" value="systray"/></property>
</channel>
X
begin openbox openbox
begin panel xfce4-panel --disable-wm-check
begin dunst dunst
until_true "a panel" gdbus call --session -d org.freedesktop.DBus -o /org/freedesktop/DBus -m org.freedesktop.DBus.GetNameOwner org.kde.StatusNotifierWatcher
begin tray dragoman-tray --verbose
until_true "the service" ready
until_true "an icon" items
sleep 1.5 # the panel fades in

printf %s "$text" | xclip -selection clipboard
sleep 0.3
printf %s "$text" | xclip -selection clipboard
until_true "a translation" translated diez
until_true "a notification" xdotool search --onlyvisible --class dunst
sleep 0.7
import -window root "$dir/all.png" && convert "$dir/all.png" -crop 340x90+684+44 +repage "$out/tray-note.png"

xdotool mousemove 16 16; sleep 0.2; xdotool click 1
popup() { xwininfo -root -tree | grep -E '^ {5}0x.*"wrapper-2.0"' | awk '{print $1}' | while read -r id; do
  xwininfo -id "$id" | awk '/Absolute upper-left X/{x=$NF} /Absolute upper-left Y/{y=$NF} /Width:/{w=$NF} /Height:/{h=$NF} /IsViewable/{v=1} END{if (v && w>100 && h>100) print x,y,w,h}'; done | grep .; }
# rows lists what can be chosen in the menu of the icon, one a line: separators and
# what is grey or hidden is passed over by the keyboard.
quoted() { grep -o "'[^']*'" | head -1 | tr -d "'"; }
property() { gdbus call --session -d "$1" -o "$2" -m org.freedesktop.DBus.Properties.Get "$3" "$4"; }
rows() {
  local icon menu
  icon=$(property org.kde.StatusNotifierWatcher /StatusNotifierWatcher org.kde.StatusNotifierWatcher RegisteredStatusNotifierItems | quoted)
  menu=$(property "${icon%%/*}" "/${icon#*/}" org.kde.StatusNotifierItem Menu | quoted)
  gdbus call --session -d "${icon%%/*}" -o "$menu" -m com.canonical.dbusmenu.GetLayout 0 1 '[]' |
    sed 's/<(/\n/g' | tail -n +2 | grep -v -e "'visible': <false>" -e "'enabled': <false>" -e "'type': <'separator'>"
}
until_true "a menu" popup
sleep 0.5
import -window root "$out/x11-all.png"
read -r x y w h < <(popup | head -1)
convert "$out/x11-all.png" -crop "$((x + w + 8))x$((y + h + 8))+0+0" +repage +dither -colors 64 "$out/tray-menu.png"
# The keyboard marks the result, and the mouse clicks on what has changed by that.
downs=$(rows | grep -nF "'label': <'$text'>" | cut -d: -f1)
[ -n "$downs" ] || fail "the menu does not offer the result: $(rows)"
for _ in $(seq "$downs"); do xdotool key Down; sleep 0.1; done
sleep 0.3
import -window root "$dir/marked.png"
read -r mw mh mx my < <(convert "$out/x11-all.png" "$dir/marked.png" -crop "${w}x$h+$x+$y" +repage -compose difference -composite \
  -colorspace gray -threshold 4% -trim -format '%w %h %X %Y' info: | tr -d +)
[ "${mh:-0}" -gt 10 ] && [ "$mh" -lt 60 ] || fail "no row of the menu is marked, but ${mw:-nothing} x ${mh:-} at ${mx:-},${my:-} of it"
xdotool mousemove $((x + mx + mw / 2)) $((y + my + mh / 2)); sleep 0.3; xdotool click 1
translation() { dragoman history --json | grep -o '"target": *"[^"]*"' | head -1 | sed 's/.*: *"//; s/"$//'; }
pasted() { [ -n "$(translation)" ] && [ "$(timeout 5 xclip -selection clipboard -o)" = "$(translation)" ]; }
until_true "the translation can be pasted" pasted
first=$(translation)

# Another text, and the note itself is clicked on: dunst does its action by the
# middle button.
dunstctl close-all
for _ in 1 2; do printf 'The house is big.' | xclip -selection clipboard; sleep 0.3; done
until_true "a second translation" translated casa
until_true "a second notification" xdotool search --onlyvisible --class dunst
sleep 0.7
eval "$(xdotool getwindowgeometry --shell "$(xdotool search --onlyvisible --class dunst | head -1)")"
xdotool mousemove $((X + WIDTH / 2)) $((Y + 36)); sleep 0.3; xdotool click 2
until_true "the second translation can be pasted" pasted
echo "x11: copied twice, translated, clicked in the menu and pasted: $first; clicked on the note and pasted: $(translation)"
