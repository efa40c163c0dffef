# lib.sh - what x11.sh and wayland.sh share: processes that end with the script,
# waiting, and a session of its own. It is to be sourced.
set -u
pids=()
begin() { local log=$1; shift; "$@" >"$dir/$log.log" 2>&1 & pids+=($!); }
finish() { local i p
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    p=${pids[i]}; kill "$p" 2>/dev/null
    for _ in $(seq 50); do kill -0 "$p" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$p" 2>/dev/null; wait "$p" 2>/dev/null
  done
  rm -rf "$dir"; }
fail() { echo "$*" >&2; for f in "$dir"/*.log; do echo "== $f"; tail -5 "$f"; done >&2; exit 1; }
until_true() { local what=$1; shift; for _ in $(seq 300); do "$@" >/dev/null 2>&1 && return 0; sleep 0.1; done; fail "waited in vain: $what"; }

# session makes folders and a bus, and starts the service.
session() {
  export HOME=$dir/home XDG_RUNTIME_DIR=$dir/run LANG=en_US.UTF-8 NO_AT_BRIDGE=1 GTK_A11Y=none
  mkdir -p -m 700 "$HOME" "$XDG_RUNTIME_DIR"
  unset LC_ALL DBUS_STARTER_ADDRESS; export LC_ALL=C.UTF-8
  export XDG_CONFIG_HOME=$HOME/.config XDG_CACHE_HOME=$HOME/.cache XDG_STATE_HOME=$HOME/.local/state
  export DRAGOMAN_CONFIG=$dir/config.toml DRAGOMAN_STATE=$dir/state DRAGOMAN_RUNTIME=$dir/run/dragoman
  export DBUS_SESSION_BUS_ADDRESS=unix:path=$dir/run/bus PATH=$DRAGOMAN_TEST_PROGRAMS:$PATH
  printf '[clipboard]\nto = "es"\nwindow = "5s"\n[tray]\nlanguage = "en"\n' >"$DRAGOMAN_CONFIG"
  begin bus dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS"
  until_true "a session bus" test -S "$dir/run/bus"
  begin dragomand dragomand
}
translated() { dragoman history 2>/dev/null | grep -q "$1"; }
ready() { dragoman status 2>/dev/null | grep -qi ready; }
items() { gdbus call --session -d org.kde.StatusNotifierWatcher -o /StatusNotifierWatcher -m org.freedesktop.DBus.Properties.Get \
  org.kde.StatusNotifierWatcher RegisteredStatusNotifierItems | grep -q "'[^']"; }
