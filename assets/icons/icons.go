// Package icons holds the tray's icons: one picture for each state of the
// service, each to be told from the others without colour and to be seen on
// dark and on light panels.
//
// It owns the files, which `go generate ./assets/icons` draws from one design,
// and must not import anything.
package icons

import "embed"

//go:generate go run ./generate

// State is what an icon says of the service.
type State string

const (
	Ready    State = "ready"
	Working  State = "working"
	Warming  State = "warming"  // the model is being loaded or compiled
	Paused   State = "paused"   // files wait
	Fallback State = "fallback" // the processor does what an accelerator was to do
	Error    State = "error"    // nothing can be translated
	Away     State = "away"     // the service does not run
)

// States lists all.
var States = []State{Ready, Working, Warming, Paused, Fallback, Error, Away}

// Sizes of the PNG files, in pixels.
var Sizes = []int{16, 22, 24, 32, 48, 64}

// ICOSizes are the pictures in each ICO file, in pixels: what Windows asks for
// at scales from 100 to 400 %.
var ICOSizes = []int{16, 20, 24, 32, 40, 48, 64}

//go:embed png/*.png
var files embed.FS

// PNG returns the icon in one of Sizes, nil for another.
func PNG(s State, size int) []byte {
	content, err := files.ReadFile(PNGName(s, size))
	if err != nil {
		return nil
	}
	return content
}
