package message

import (
	"os"

	"golang.org/x/sys/windows"
)

// System returns the user's languages as BCP 47 tags, the most wanted first:
// those of the environment, as on other systems, where somebody set them for
// this program, else those that Windows shows its own menus in.
func System() []string {
	if tags := fromEnvironment(os.Getenv); len(tags) > 0 {
		return tags
	}
	tags, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil {
		return nil
	}
	return tags
}
