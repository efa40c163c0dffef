package selection

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSame(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b Owner
		want bool
	}{
		{"two windows of one program", Owner{Process: "gedit", ID: 1}, Owner{Process: "gedit", ID: 2}, true},
		{"two programs", Owner{Process: "gedit", ID: 1}, Owner{Process: "kate", ID: 1}, false},
		{"a program that is known by its windows only", Owner{Class: "x X", ID: 1}, Owner{Class: "x X", Process: "x", ID: 2}, true},
		{"two such programs", Owner{Class: "x X"}, Owner{Class: "y Y"}, false},
		{"nobody is known", Owner{ID: 1}, Owner{ID: 2}, true},
		{"only one is known", Owner{Process: "gedit", ID: 1}, Owner{ID: 2}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, c.a.Same(c.b))
			require.Equal(t, c.want, c.b.Same(c.a))
		})
	}
}
