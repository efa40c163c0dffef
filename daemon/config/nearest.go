package config

import (
	"strings"
)

// nearest returns the known name that a mistyped one most likely meant, "" where
// none is near. Names of keys and of tables are among the known.
func nearest(mistyped string, known []string) string {
	best, least := "", 1+max(2, len(mistyped)/4)
	for _, name := range known {
		d := distance(strings.ToLower(mistyped), name)
		// The right name in the wrong table, or in none.
		if last := lastPart(mistyped); strings.Contains(name, ".") && strings.EqualFold(last, lastPart(name)) {
			d = min(d, 2)
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// distance counts the characters to insert, delete, replace or swap with their
// neighbour to make a into b (optimal string alignment).
func distance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
