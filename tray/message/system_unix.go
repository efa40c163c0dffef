//go:build unix

package message

import "os"

// System returns the user's languages as BCP 47 tags, the most wanted first.
func System() []string { return fromEnvironment(os.Getenv) }
