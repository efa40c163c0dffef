//go:build !amd64

package kernel

// Available is false: there are kernels for amd64 only. Nothing below is called.
func Available() bool { return false }

// sets has no instructions.
var sets = []instructions{{rows4: 1}}

const unavailable = "kernel: there is none for this processor"

func quantiseWords(*byte, *float32, int) { panic(unavailable) }

func quantiseBytes(*byte, *float32, int) { panic(unavailable) }

func quantiseGroups(*byte, *float32, int) { panic(unavailable) }

func expand(*int8, *float32, *byte, *uint16, int, int) { panic(unavailable) }

func dots64(_, _, _ *float32, _ int) { panic(unavailable) }

func weigh64(_, _, _ *float32, _ int) { panic(unavailable) }

func dot(_, _ *float32, _ int) float32 { panic(unavailable) }

func sumExp(*float32, int) (largest, sum float32) { panic(unavailable) }

func softmax(*float32, int) { panic(unavailable) }

func add(_, _ *float32, _ int) { panic(unavailable) }

func addTwo(_, _, _ *float32, _ int) { panic(unavailable) }

func addRectified(_, _ *float32, _ int) { panic(unavailable) }

func normalise(_, _, _, _ *float32, _ int, _, _ float32) { panic(unavailable) }

func find(*float32, int, float32) int { panic(unavailable) }

func pause() { panic(unavailable) }

func int8Tiles(*float32, int, *int8, *float32, *byte, int, int, int) { panic(unavailable) }

const hasHalves = false

func halves(*float32, *byte, int) { panic(unavailable) }

func packTiles(_, _ *byte, _, _ int) { panic(unavailable) }
