// Package api is what the daemon and its clients say to each other: the wire
// types of the HTTP/JSON interface, its errors and a typed client.
//
// The command line, the tray and the tests all use this client. The package
// must not import anything of ours: a client carries no model. docs/openapi.yaml
// describes the same for programs of others, and a test compares the two.
package api

// Prefix of all paths. It changes with the first change that would break a
// client; new fields and new paths do not.
const Prefix = "/v1"

// Bounds of what the daemon accepts.
const (
	MaxBody  = 8 << 20 // bytes of a request's body
	MaxTexts = 256     // texts of one request
)

// Auto as a source language asks the daemon to find out.
const Auto = "auto"
