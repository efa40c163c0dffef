//go:build !long

package drop

// How much is enough to find what has gone wrong since.
const (
	kills = 20
	oneGo = 2_000
)
