package icons

import "embed"

//go:embed ico/*.ico
var icoFiles embed.FS

// ICO returns the icon with all of ICOSizes, nil for a state that is none.
func ICO(s State) []byte {
	content, err := icoFiles.ReadFile(ICOName(s))
	if err != nil {
		return nil
	}
	return content
}
