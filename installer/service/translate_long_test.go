//go:build long && linux

package service

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// withModel lays the runtime and the starter model beside the programs, where
// they are found.
func (m *machine) withModel() *machine {
	m.t.Helper()
	library := ovtest.Library(m.t)
	copyTree := func(from, to string) {
		require.NoError(m.t, os.MkdirAll(filepath.Dir(to), 0o755))
		out, err := exec.Command("cp", "-rL", from, to).CombinedOutput()
		require.NoError(m.t, err, string(out))
	}
	copyTree(library.Dir, filepath.Join(m.bin, "openvino"))
	copyTree(filepath.Join(ovtest.Root(), "assets", "starter"), filepath.Join(m.bin, "models", "starter"))
	return m
}

// What the README promises to a newcomer, with a reboot in the middle.
func TestDropFolderSurvivesAReboot(t *testing.T) {
	m := newMachine(t).withModel()
	m.must("root", "loginctl enable-linger tester")
	m.eventually(tester, "systemctl --user show-environment")
	m.must(tester, "dragoman service install")
	m.must(tester, "dragoman folders add ~/Translate --to es")
	m.must(tester, "echo 'The house is big.' > ~/Translate/before.txt")
	m.eventually(tester, "grep -i casa ~/Translate/translated/before.es.txt")

	m.must(tester, "dragoman service stop && echo 'The dog is small.' > ~/Translate/meanwhile.txt")
	m.powerOff()
	m.boot()
	m.eventually(tester, "grep -i perro ~/Translate/translated/meanwhile.es.txt")
	m.must(tester, "echo 'The cat is black.' > ~/Translate/after.txt")
	m.eventually(tester, "grep -i gat ~/Translate/translated/after.es.txt")
	out := m.must(tester, "dragoman status")
	require.Contains(t, out, "watching")
	require.Contains(t, out, "/home/tester/Translate")
	require.Contains(t, m.must(tester, "dragoman translate --to de 'The house is big.'"), "Haus")
}

// The system's service is for root and for members of its group only.
func TestSystemServiceTranslatesForItsGroup(t *testing.T) {
	m := newMachine(t).withModel()
	m.must("root", "dragoman service install --system")
	m.eventually("root", "dragoman translate --to de 'The house is big.' | grep Haus")
	m.must("root", "useradd --create-home member && usermod --append --groups dragoman member")
	as := func(user string) string {
		return "runuser -u " + user + " -- dragoman translate --to de 'The dog is small.'"
	}
	require.Contains(t, m.must("root", as("member")), "Hund")
	_, status := m.as("root", "runuser -u "+tester+" -- dragoman status")
	require.NotZero(t, status, "not a member")

	// A drop folder that the unit was told of.
	m.must("root", "mkdir /srv/translate && chown dragoman /srv/translate && mkdir -p /etc/systemd/system/dragoman.service.d && printf '[Service]\\nReadWritePaths=/srv/translate\\n' > /etc/systemd/system/dragoman.service.d/folders.conf && systemctl daemon-reload && dragoman service restart --system")
	m.eventually("root", "dragoman folders add /srv/translate --to es")
	m.must("root", "echo 'The house is big.' > /srv/translate/a.txt")
	m.eventually("root", "grep -i casa /srv/translate/translated/a.es.txt")
	m.must("root", "dragoman service uninstall --system --purge")
}
