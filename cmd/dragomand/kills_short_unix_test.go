//go:build unix && !long

package main

// How much is enough to find what has gone wrong since: rounds of 300 files,
// and kills in each.
const rounds, killsARound = 1, 20
