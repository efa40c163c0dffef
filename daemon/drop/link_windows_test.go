package drop

import (
	"os/exec"
)

// makeLink makes a junction, which every user may.
func makeLink(target, path string) error {
	return exec.Command("cmd", "/c", "mklink", "/J", path, target).Run()
}
