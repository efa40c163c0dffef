# setup.sh OLD NEW: the life of an installation below Wine, with the installers of
# two versions.
. "$(dirname "$0")/functions.sh"

# For this user.
setup "install" "$old" /S
registry 'HKCU\Software\Microsoft\Windows\CurrentVersion\Run' | grep -o 'dragoman-[a-z]* ' | sort | sed 's/^/= run: /'
find "$user" "$drive/ProgramData" -name Dragoman.lnk | grep -q . && say "start menu"
running "$own"
translate "$own"
wine "$own/dragoman-tray.exe" >/dev/null 2>&1 &
sleep 2
mkdir "$own/models/theirs"
touch "$own/models/theirs/config.json"
setup "upgrade while running" "$new" /S
registry 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Dragoman' | grep -o 'DisplayVersion.*' | sed 's/^/= /; s/  */ /g'
say "programs: $(find "$own" -maxdepth 1 -name '*.exe*' -printf '%f ' | xargs -n 1 | sort | xargs)"
say "models: $(ls "$own/models" | xargs)"
say "compiler: $(find "$own" -name 'openvino_intel_npu_compiler.dll' -printf '%f')"
running "$own"
translate "$own"
timeout -k 5 30 wine "$own/dragoman.exe" history 2>/dev/null | grep -c 'The house is big' | sed 's/^/= history: /'
setup "downgrade" "$old" /S
setup "remove" "$own/uninstall.exe" /S
gone "$own/uninstall.exe"
say "kept: $(cd "$own" && find . -type f | xargs) $(find "$state" -name state.db -printf '%f')"
setup "install again" "$new" /S
running "$own"
rm -r "$own/models/theirs"
setup "purge" "$own/uninstall.exe" /S /PURGE
gone "$own"
left

# For the machine, with Windows' service, and what the administrator decides.
wine cmd /c "ping -n 600 127.0.0.1 >nul" >/dev/null 2>&1 & # services end with the last ordinary process
keep=$!
setup "install for all" "$new" /S /AllUsers /Service /ServeSCM
wine sc query dragoman 2>/dev/null | tr -d '\r' | grep -o 'STATE.*' | sed 's/^/= /; s/  */ /g'
running "$all"
translate "$all"
policy='HKLM\Software\Policies\dragoman'
wine reg add "$policy" /v history.enabled /t REG_DWORD /d 0 /f >/dev/null 2>&1
wine reg add "$policy" /v models.allowed /t REG_MULTI_SZ /d 'starter' /f >/dev/null 2>&1
wine reg add "$policy" /v reason /t REG_SZ /d 'ask IT' /f >/dev/null 2>&1
timeout -k 5 60 wine "$all/dragoman.exe" config set history.enabled true 2>&1 | tr -d '\r' | grep fixed | sed 's/^/= /'
timeout -k 5 60 wine "$all/dragoman.exe" config get 2>/dev/null | tr -d '\r' | grep ' policy$' | sed 's/^/= /; s/  */ /g'
wine reg add "$policy" /v clipboard.wach /t REG_SZ /d off /f >/dev/null 2>&1
timeout -k 5 60 wine "$all/dragoman.exe" config get 2>&1 | tr -d '\r' | grep 'policy of this machine' | sed 's/^/= /'
wine reg delete "$policy" /f >/dev/null 2>&1
setup "remove for all" "$all/uninstall.exe" /S /PURGE
gone "$all"
wine sc query dragoman 2>/dev/null | grep -q STATE && say "the service is still there"
kill $keep 2>/dev/null
left
say end
