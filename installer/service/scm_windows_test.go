package service

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArguments(t *testing.T) {
	o := Options{Folders: Folders{Config: `C:\Users\an na\config.toml`, State: `C:\s`, Data: `C:\d`, Cache: `C:\c`, Runtime: `C:\r`}}
	require.Equal(t, []string{
		"run", "--owner", "S-1-5-21-1", "--config", `C:\Users\an na\config.toml`,
		"--state", `C:\s`, "--data", `C:\d`, "--cache", `C:\c`,
	}, arguments(o, "S-1-5-21-1"))
	o.ServeSCM = true
	require.Contains(t, arguments(o, "S-1-5-21-1"), "--serve-scm")
}

func TestInFolder(t *testing.T) {
	for path, want := range map[string]bool{
		`C:\Users\Anna\bin\dragomand.exe`: true,
		`c:\users\anna\dragomand.exe`:     true,
		`C:\Users\Annabel\dragomand.exe`:  false,
		`C:\Program Files\dragomand.exe`:  false,
		`D:\Users\Anna\dragomand.exe`:     false,
	} {
		require.Equal(t, want, inFolder(path, `C:\Users\Anna`), path)
	}
}
