# machine.sh OLD NEW: installations for all users below Wine, without Windows' service
# and with one that is there already.
. "$(dirname "$0")/functions.sh"

service() { # state of Windows' service
	say "service: $(wine sc query dragoman 2>/dev/null | tr -d '\r' | grep -o 'STATE.*' | sed 's/  */ /g')"
}
version() { registry 'HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall\Dragoman' | grep -o 'DisplayVersion.*' | sed 's/^/= /; s/  */ /g'; }
login() { # what the Run keys of the machine do at a person's login
	wine "$all/dragoman-tray.exe" start-service >/dev/null 2>&1 &
	running "$all"
}
wine cmd /c "ping -n 900 127.0.0.1 >nul" >/dev/null 2>&1 & # services end with the last ordinary process
keep=$!

# Each user's own service, at login.
setup "install for all" "$old" /S /AllUsers
service
registry 'HKLM\Software\Microsoft\Windows\CurrentVersion\Run' | grep -o 'dragoman-[a-z]* ' | sort | sed 's/^/= run: /'
login
translate "$all"
setup "upgrade while a user's runs" "$new" /S /AllUsers
service
version
login
translate "$all"
timeout -k 5 30 wine "$all/dragoman.exe" history 2>/dev/null | grep -c 'The house is big' | sed 's/^/= history: /'
setup "remove for all" "$all/uninstall.exe" /S /PURGE
gone "$all"

# Windows' service is brought up to date where it is there, also unasked.
setup "install with the service" "$old" /S /AllUsers /Service /ServeSCM
service
running "$all"
translate "$all"
setup "upgrade over the service" "$new" /S /AllUsers /ServeSCM
service
version
running "$all"
translate "$all"
timeout -k 5 30 wine "$all/dragoman.exe" history 2>/dev/null | grep -c 'The house is big' | sed 's/^/= history: /'
setup "remove with the service" "$all/uninstall.exe" /S /PURGE
gone "$all"
service
kill $keep 2>/dev/null
left
say end
