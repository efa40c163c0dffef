//go:build unix && long

package main

// A thousand kills, as the issue of the service asks for.
const rounds, killsARound = 20, 50
