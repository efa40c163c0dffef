package segment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

func TestLineEnds(t *testing.T) {
	for _, c := range [][3]string{{"a", "b", " "}, {"a ", "b", ""}, {"", "b", ""}, {"a", "", ""}, {"你", "好", ""}, {"你，", "好", ""}, {"サーバー", "の", ""}, {"你", "a", " "}, {"a.", "你", " "}, {"ไทย", "ไทย", ""}} {
		require.Equal(t, c[2], segment.LineEnd(c[0], c[1]), "%q %q", c[0], c[1])
	}
}
