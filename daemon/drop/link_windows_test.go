package drop

import (
	"os"
	"os/exec"
)

// makeLink makes a junction, which every user may. Wine says that it did.
func makeLink(target, path string) error {
	if err := exec.Command("cmd", "/c", "mklink", "/J", path, target).Run(); err != nil {
		return err
	}
	_, err := os.Readlink(path)
	return err
}
