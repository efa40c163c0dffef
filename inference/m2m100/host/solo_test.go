package host

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSameAloneAsATeam: steps that one thread does give the same bits as the team's.
func TestSameAloneAsATeam(t *testing.T) {
	c := smallCheckpoint(t)
	for _, f := range []Format{Int8, Int4} {
		r := rand.New(rand.NewPCG(31, 32))
		for _, count := range []int{1, 9} {
			m := openModel(t, c, f, nil, 3)
			var teams, solos []*Sequence
			var all []made
			for i := range count {
				all = append(all, makeSequence(r, c.Config, 3+i, 2))
				teams, solos = append(teams, all[i].begin(m)), append(solos, all[i].begin(m))
			}
			for token := range 2 {
				for i, s := range all {
					s.give(teams[i], c.Config, token, 1)
					s.give(solos[i], c.Config, token, 1)
				}
				*m.solos.of(count) = solo{}
				require.NoError(t, m.Step(teams...))
				require.False(t, m.step.alone)
				disturb(m.solos.of(count))
				require.NoError(t, m.Step(solos...))
				require.True(t, m.step.alone)
				for i := range all {
					require.Equal(t, teams[i].Best, solos[i].Best)
				}
			}
		}
	}
}

func disturb(s *solo) {
	*s = solo{best: time.Nanosecond}
	for range s.team.latest {
		s.team.add(time.Hour)
	}
}

// TestStepsAreComparedWithTheirLikes: none of twice as many rows.
func TestStepsAreComparedWithTheirLikes(t *testing.T) {
	var s solos
	for rows := 1; rows < 560; rows++ {
		require.NotSame(t, s.of(rows), s.of(2*rows), "%d rows", rows)
	}
	require.Same(t, s.of(70), s.of(80))
	require.NotSame(t, s.of(63), s.of(64))
	require.Same(t, s.of(5000), s.of(600))
}

// TestATeamThatIsDisturbedRests: it works as long as it is about as fast as it can be,
// and again when it is not disturbed any more.
func TestATeamThatIsDisturbedRests(t *testing.T) {
	var s solo
	run := func(steps int, team, alone time.Duration) (solos int) {
		for range steps {
			by := s.next()
			if by {
				solos++
				s.took(by, alone)
			} else {
				s.took(by, team)
			}
		}
		return solos
	}
	require.Zero(t, run(100, 1000, 2000), "the team is the faster")
	require.InDelta(t, 90, run(100, 5000, 2000), 10, "it is disturbed")
	require.InDelta(t, 45, run(100, 1400, 2000), 10, "it is not any more")
	require.Zero(t, run(100, 1400, 2000))
	s.took(false, 9000)
	require.Zero(t, run(10, 1400, 2000), "one slow step means nothing")
	require.InDelta(t, 10, run(100, 5000, 9000), 10, "it is disturbed, and one thread is slower yet")
}
