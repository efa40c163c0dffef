//go:build long

package drop

// How much the issue of the service asks for.
const (
	kills = 1_000
	oneGo = 20_000
)
