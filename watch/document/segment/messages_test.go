package segment

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatStaysInMessages(t *testing.T) {
	for text, want := range map[string]string{
		"a %@, %1$@: %d%% of %-5.2f":             "%@ %1$@ %d %% %-5.2f",
		"a @:b.c. @.lower:d-e, @:(f.g)s @:{'h'}": "@:b.c @.lower:d-e @:(f.g) @:{'h'}",
		"a@b.c: me @: d":                         "a@b.c",
		"5 % of it, 100%":                        "",
		"%{a}, {b} %(c)s ${d} $E":                "%{a} {b} %(c)s ${d} $E",
	} {
		require.Equal(t, want, strings.Join(InMessages.FindAllString(text, -1), " "), text)
	}
}
