package drop

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// mounts are followed by finalPath.
type mounts struct{}

func readMounts() mounts { return mounts{} }

func (*locator) find(path string) spot {
	real, rest := deepest(path, finalPath)
	real = filepath.Join(real, rest)
	volume := filepath.VolumeName(real)
	return spot{disk: strings.ToLower(volume), path: filepath.ToSlash(strings.TrimPrefix(real, volume)), name: real}
}

// finalPath follows links, junctions and drives that stand for a folder (subst);
// filepath.EvalSymlinks leaves junctions as they are.
func finalPath(path string) (string, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return "", err
	}
	const anyUse = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, 0, anyUse, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return "", err
	}
	defer windows.CloseHandle(h)
	// A volume without a letter has no name of the first kind.
	const withLetter, withID = 0, 1 // VOLUME_NAME_DOS, VOLUME_NAME_GUID
	buffer := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetFinalPathNameByHandle(h, &buffer[0], uint32(len(buffer)), withLetter)
	if err != nil {
		n, err = windows.GetFinalPathNameByHandle(h, &buffer[0], uint32(len(buffer)), withID)
	}
	if err != nil || int(n) > len(buffer) {
		return "", windows.ERROR_PATH_NOT_FOUND
	}
	real := windows.UTF16ToString(buffer[:n])
	if share, ok := strings.CutPrefix(real, `\\?\UNC\`); ok {
		return `\\` + share, nil
	}
	if strings.HasPrefix(real, `\\?\Volume{`) {
		return real, nil
	}
	return strings.TrimPrefix(real, `\\?\`), nil
}

func sameCase(path string) string { return strings.ToLower(path) }
