# The installer for Windows. build.sh gives what is between ${}:
#   PROGRAMS  folder of the three programs       OUT      file to write
#   RUNTIME   folder of OpenVINO's libraries, or not defined
#   MODEL     folder of the starter model, or not defined
#   DOCS      folder of licences and notices
#   VERSION   for people                          FILE_VERSION  four numbers
#   BUILD     number that grows with the version  SIZE     kilobytes on the disk
#   FINISH    command that makes the uninstaller's signature, or not defined
#
# setup.exe                      for this user, no administrator needed
# setup.exe /AllUsers            for the machine, by an administrator
#   /Service                     Windows' service for who installs, besides each user's own at login
#   /Downgrade                   an older version over a newer one
#   /S /D=C:\folder              silent; elsewhere (last of all)
# uninstall.exe [/S] [/PURGE]    silent: models, history and settings stay unless /PURGE
# Exit status: 0 done; 1 stopped by the person; 2 failed; 3 a newer version is there;
# 4 files are in use by another user; 5 an administrator is needed.
Target amd64-unicode
Unicode true
ManifestDPIAware true
ManifestLongPathAware true
SetCompressor /SOLID ${COMPRESSION}
!if ${COMPRESSION} == lzma
  SetCompressorDictSize 64 # the programs have much in common, farther apart than the usual 8 MB
!endif
!include LogicLib.nsh
!include FileFunc.nsh
!include x64.nsh
!include MUI2.nsh

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Dragoman"
!define RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define APPROVED "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
!define CLASSES "Software\Classes"
!define ACTIVATOR "{6B0C5B4E-6A3C-4C83-9E0E-5C3B0E0E7D1A}" # of tray/identity

Name "Dragoman"
BrandingText "Dragoman ${VERSION}"
OutFile "${OUT}"
RequestExecutionLevel user
ShowInstDetails nevershow
ShowUninstDetails nevershow
VIProductVersion "${FILE_VERSION}"
VIFileVersion "${FILE_VERSION}"
VIAddVersionKey ProductName "Dragoman"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Dragoman setup"
VIAddVersionKey CompanyName "The dragoman authors"
VIAddVersionKey LegalCopyright "The dragoman authors, Apache-2.0"
!ifdef FINISH
!uninstfinalize '${FINISH} "%1"'
!endif

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_NOAUTOCLOSE
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

Var All      # 1: for the machine
Var Service  # 1: with Windows' service, which has LocalSystem's rights and one user
Var ServeSCM # for Wine
Var Purge

!macro Stop CODE TEXT
	SetErrorLevel ${CODE}
	MessageBox MB_OK|MB_ICONSTOP "${TEXT}" /SD IDOK
	Quit
!macroend
!define Stop "!insertmacro Stop"

# Whether an option is on the command line: leaves 1 or 0 in RESULT.
!macro Option NAME RESULT
	ClearErrors
	${GetOptions} $R8 "${NAME}" $R9
	${If} ${Errors}
		StrCpy ${RESULT} 0
	${Else}
		StrCpy ${RESULT} 1
	${EndIf}
!macroend
!define Option "!insertmacro Option"

# Values that belong to the machine or to the user, as was chosen.
!macro Write KIND PATH NAME VALUE
	${If} $All = 1
		WriteReg${KIND} HKLM "${PATH}" "${NAME}" ${VALUE}
	${Else}
		WriteReg${KIND} HKCU "${PATH}" "${NAME}" ${VALUE}
	${EndIf}
!macroend
!define Write "!insertmacro Write"

Function .onInit
	SetRegView 64
	${GetParameters} $R8
	${Option} "/AllUsers" $All
	${Option} "/ServeSCM" $ServeSCM
	${Option} "/Service" $Service
	# One that is there is brought up to date.
	ReadRegStr $0 HKLM "SYSTEM\CurrentControlSet\Services\dragoman" "ImagePath"
	${If} $0 != ""
		StrCpy $Service 1
	${EndIf}
	${IfNot} ${RunningX64}
		${Stop} 2 "Dragoman needs Windows for 64-bit processors of Intel or AMD."
	${EndIf}
	${If} $All = 1
		UserInfo::GetAccountType
		Pop $0
		${If} $0 != "Admin"
			${If} ${Silent}
				${Stop} 5 "To install Dragoman for all users an administrator is needed: run this setup as administrator, or without /AllUsers."
			${EndIf}
			ClearErrors
			ExecShell "runas" "$EXEPATH" $R8
			${If} ${Errors}
				${Stop} 5 "To install Dragoman for all users an administrator is needed."
			${EndIf}
			Quit
		${EndIf}
		SetShellVarContext all
		StrCpy $1 "$PROGRAMFILES64\Dragoman"
		ReadRegStr $2 HKLM "${KEY}" "InstallLocation"
		ReadRegDWORD $3 HKLM "${KEY}" "Build"
	${Else}
		SetShellVarContext current
		StrCpy $1 "$LOCALAPPDATA\Programs\Dragoman"
		ReadRegStr $2 HKCU "${KEY}" "InstallLocation"
		ReadRegDWORD $3 HKCU "${KEY}" "Build"
	${EndIf}
	${Option} "/Downgrade" $4
	${If} $3 > ${BUILD}
	${AndIf} $4 = 0
		${Stop} 3 "A newer version of Dragoman is installed, and this one may not read what it has stored. To go back all the same: copy %LocalAppData%\dragoman\state, and add /Downgrade to this setup's command line."
	${EndIf}
	${If} $INSTDIR == "" # no /D=
		${If} $2 != ""
			StrCpy $INSTDIR $2
		${Else}
			StrCpy $INSTDIR $1
		${EndIf}
	${EndIf}
FunctionEnd

Section
	# What runs from the folder ends first, by the new program from elsewhere.
	InitPluginsDir
	SetOutPath $PLUGINSDIR
	File "${PROGRAMS}/dragoman-tray.exe"
	${If} $All = 1
	${AndIf} ${FileExists} "$INSTDIR\dragoman.exe"
		nsExec::Exec '"$INSTDIR\dragoman.exe" service stop'
		Pop $0
	${EndIf}
	nsExec::Exec '"$PLUGINSDIR\dragoman-tray.exe" end-programs "$INSTDIR"'
	Pop $0

	# A program that someone else still runs may be renamed, and goes when it ends.
	SetOutPath $INSTDIR
	ClearErrors
	!macro Replace FILE
		${If} ${FileExists} "$INSTDIR\${FILE}"
			Delete "$INSTDIR\${FILE}"
			${If} ${Errors}
				ClearErrors
				Delete "$INSTDIR\${FILE}.old"
				ClearErrors
				Rename "$INSTDIR\${FILE}" "$INSTDIR\${FILE}.old"
				Delete /REBOOTOK "$INSTDIR\${FILE}.old"
				ClearErrors
			${EndIf}
		${EndIf}
	!macroend
	!insertmacro Replace dragoman.exe
	!insertmacro Replace dragomand.exe
	!insertmacro Replace dragoman-tray.exe
	# What an older version had and this one may not have. Other models are the
	# administrator's, for all users.
	RMDir /r "$INSTDIR\openvino"
	RMDir /r "$INSTDIR\licences"
	RMDir /r "$INSTDIR\models\starter"
	${If} ${Errors}
		${Stop} 4 "Files in $INSTDIR are in use by another user of this machine: sign out there, then run this setup again."
	${EndIf}
	SetOverwrite on
	File "${PROGRAMS}/dragoman.exe"
	File "${PROGRAMS}/dragomand.exe"
	File "${PROGRAMS}/dragoman-tray.exe"
	SetOutPath $INSTDIR\licences
	File /r "${DOCS}/*.*"
!ifdef RUNTIME
	SetOutPath $INSTDIR\openvino
	File /r "${RUNTIME}/*.*"
!endif
!ifdef MODEL
	SetOutPath $INSTDIR\models\starter
	File /r "${MODEL}/*.*"
!endif
	SetOutPath $INSTDIR
	WriteUninstaller "$INSTDIR\uninstall.exe"
	${If} ${Errors}
		${Stop} 2 "Dragoman could not be written to $INSTDIR: is there room on the disk, and may you write there?"
	${EndIf}

	CreateShortcut "$SMPROGRAMS\Dragoman.lnk" "$INSTDIR\dragoman-tray.exe" "" "$INSTDIR\dragoman-tray.exe" 0 SW_SHOWNORMAL "" "Translate what you copy, on this machine"
	${Write} Str "${KEY}" "DisplayName" '"Dragoman"'
	${Write} Str "${KEY}" "DisplayVersion" '"${VERSION}"'
	${Write} DWORD "${KEY}" "Build" ${BUILD}
	${Write} Str "${KEY}" "Publisher" '"The dragoman authors"'
	${Write} Str "${KEY}" "DisplayIcon" '"$INSTDIR\dragoman-tray.exe"'
	${Write} Str "${KEY}" "InstallLocation" '"$INSTDIR"'
	${Write} Str "${KEY}" "UninstallString" "'$\"$INSTDIR\uninstall.exe$\"'"
	${Write} Str "${KEY}" "QuietUninstallString" "'$\"$INSTDIR\uninstall.exe$\" /S'"
	${Write} DWORD "${KEY}" "EstimatedSize" ${SIZE}
	${Write} DWORD "${KEY}" "NoModify" 1
	${Write} DWORD "${KEY}" "NoRepair" 1
	# The names of tray's own switch, so that there is one entry of each.
	${Write} Str "${RUN}" "dragoman-tray" "'$\"$INSTDIR\dragoman-tray.exe$\"'"
	${Write} Str "${RUN}" "dragoman-service" "'$\"$INSTDIR\dragoman-tray.exe$\" start-service'"

	${If} $All = 1
	${AndIf} $Service = 1
		StrCpy $0 ""
		${If} $ServeSCM = 1
			StrCpy $0 "--serve-scm"
		${EndIf}
		nsExec::ExecToLog '"$INSTDIR\dragoman.exe" service install $0'
		Pop $0
		${If} $0 != 0
			MessageBox MB_OK|MB_ICONEXCLAMATION "Windows' service could not be installed or started. Each user's own starts at login instead; see dragoman doctor." /SD IDOK
		${EndIf}
	${EndIf}
	# For the machine it starts with the next login: this process is an administrator's.
	${If} $All = 0
		Exec '"$INSTDIR\dragoman-tray.exe" start-service'
		${IfNot} ${Silent}
			Exec '"$INSTDIR\dragoman-tray.exe"'
		${EndIf}
	${EndIf}
	SetErrorLevel 0
SectionEnd

Function un.onInit
	SetRegView 64
	${GetParameters} $R8
	${Option} "/PURGE" $Purge
	ReadRegStr $0 HKLM "${KEY}" "InstallLocation"
	StrCpy $All 0
	${If} $0 == $INSTDIR
		StrCpy $All 1
		UserInfo::GetAccountType
		Pop $0
		${If} $0 != "Admin"
			${If} ${Silent}
				${Stop} 5 "Dragoman is installed for all users: run this as administrator."
			${EndIf}
			ExecShell "runas" "$INSTDIR\uninstall.exe" $R8
			Quit
		${EndIf}
	${EndIf}
FunctionEnd

Section un.
	${If} $Purge = 0
		MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON1 "Keep the models, the history and the settings of this user?" /SD IDYES IDYES keep
		StrCpy $Purge 1
		keep:
	${EndIf}
	${If} $All = 1
		nsExec::Exec '"$INSTDIR\dragoman.exe" service uninstall'
		Pop $0
	${EndIf}
	InitPluginsDir
	CopyFiles /SILENT "$INSTDIR\dragoman-tray.exe" "$PLUGINSDIR\end.exe"
	nsExec::Exec '"$PLUGINSDIR\end.exe" end-programs "$INSTDIR"'
	Pop $0

	# Only what setup has put there: the folder was the person's choice. A program
	# that cannot go keeps its entry, to try again.
	ClearErrors
	Delete "$INSTDIR\dragoman.exe"
	Delete "$INSTDIR\dragomand.exe"
	Delete "$INSTDIR\dragoman-tray.exe"
	${If} ${Errors}
		${Stop} 4 "Programs in $INSTDIR are in use: close what uses them, then remove Dragoman again."
	${EndIf}
	Delete "$INSTDIR\*.exe.old"
	RMDir /r /REBOOTOK "$INSTDIR\openvino"
	RMDir /r /REBOOTOK "$INSTDIR\licences"
	RMDir /r /REBOOTOK "$INSTDIR\models\starter"
	RMDir "$INSTDIR\models"

	# Of this user, whoever else may have had an icon.
	SetShellVarContext current
	DeleteRegValue HKCU "${RUN}" "dragoman-tray"
	DeleteRegValue HKCU "${RUN}" "dragoman-service"
	DeleteRegValue HKCU "${APPROVED}" "dragoman-tray"
	DeleteRegValue HKCU "${APPROVED}" "dragoman-service"
	DeleteRegKey HKCU "${CLASSES}\AppUserModelId\Dragoman"
	DeleteRegKey HKCU "${CLASSES}\CLSID\${ACTIVATOR}"
	RMDir /r "$LOCALAPPDATA\dragoman\cache"
	${If} $Purge = 1
		RMDir /r "$LOCALAPPDATA\dragoman"
		RMDir /r "$APPDATA\dragoman"
	${EndIf}
	RMDir "$LOCALAPPDATA\dragoman" # empty where nothing was ever stored
	${If} $All = 1
		DeleteRegValue HKLM "${RUN}" "dragoman-tray"
		DeleteRegValue HKLM "${RUN}" "dragoman-service"
		DeleteRegValue HKLM "${APPROVED}" "dragoman-tray"
		DeleteRegValue HKLM "${APPROVED}" "dragoman-service"
		SetShellVarContext all
	${EndIf}
	Delete "$SMPROGRAMS\Dragoman.lnk"

	# Last what names and does a removal: one that was cut off can be done again,
	# no entry is without its program, and who waits for uninstall.exe to go waits
	# for all of it.
	${If} $All = 1
		DeleteRegKey HKLM "${KEY}"
	${Else}
		DeleteRegKey HKCU "${KEY}"
	${EndIf}
	Delete /REBOOTOK "$INSTDIR\uninstall.exe"
	RMDir "$INSTDIR"
	SetErrorLevel 0
SectionEnd
