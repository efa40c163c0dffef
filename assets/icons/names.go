package icons

import "strconv"

// PNGName is the path of a file below this folder.
func PNGName(s State, size int) string {
	return "png/" + string(s) + "-" + strconv.Itoa(size) + ".png"
}

// ICOName is the path of a file below this folder.
func ICOName(s State) string { return "ico/" + string(s) + ".ico" }
