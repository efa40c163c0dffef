package m2m100

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// grow feeds the same phrase again and again until the guard refuses it.
func grow(g guard, phrase []int32) (tokens int) {
	var output []int32
	for len(output) < 200 {
		next := phrase[len(output)%len(phrase)]
		if g.refuses(output, next) {
			return len(output)
		}
		output = append(output, next)
	}
	return len(output)
}

func TestGuardEndsLoops(t *testing.T) {
	plain := newGuard([]int32{1, 2, 3, 4, 5})
	require.Equal(t, shortRepeats, grow(plain, []int32{7}), "one token")
	require.Equal(t, 2*leastRepeats+1, grow(plain, []int32{7, 8}), "the fourth pair may begin but not end")
	require.Equal(t, 5*leastRepeats+4, grow(plain, []int32{7, 8, 9, 10, 11}))
	long := make([]int32, longestLoop+1)
	for i := range long {
		long[i] = int32(i)
	}
	require.Equal(t, 200, grow(plain, long), "phrases beyond longestLoop are left to the length bound")
}

func TestGuardFollowsTheSource(t *testing.T) {
	chant := newGuard([]int32{5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 2})
	require.Equal(t, 13, grow(chant, []int32{7, 8}), "five pairs in the source allow six")
	laugh := newGuard([]int32{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 2})
	require.Equal(t, 11, grow(laugh, []int32{7}))
}

func TestGuardLetsOrdinaryTextPass(t *testing.T) {
	for _, r := range readReferences(t) {
		g := newGuard(r.Source)
		output := r.Target[1 : len(r.Target)-1]
		for i, next := range output {
			require.False(t, g.refuses(output[:i], next))
		}
	}
}

func TestMostRepeats(t *testing.T) {
	require.Equal(t, 0, mostRepeats([]int32{1, 2, 3}, 1))
	require.Equal(t, 3, mostRepeats([]int32{1, 1, 1}, 1))
	require.Equal(t, 2, mostRepeats([]int32{9, 1, 2, 1, 2, 8}, 2))
}

func TestLengthBound(t *testing.T) {
	require.Equal(t, 18, maxNewTokens(3, 1024), "a word may need some pieces more")
	require.Equal(t, 1022, maxNewTokens(1000, 1024))
	for _, r := range readReferences(t) {
		require.LessOrEqual(t, len(r.Target), maxNewTokens(len(r.Source), 1024))
	}
}
