package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJobsAreNamed(t *testing.T) {
	c := withService(t)
	for _, text := range []string{"The house is big.", "The dog is small.", "The cat is black."} {
		c.succeeds("translate", "--from", "en", "--to", "de", text)
	}
	names := func(args ...string) (names []string) {
		for _, line := range strings.Split(strings.TrimSpace(c.succeeds(append([]string{"jobs"}, args...)...)), "\n")[1:] {
			names = append(names, strings.Fields(line)[0])
		}
		return names
	}
	require.Equal(t, []string{"t3", "t2", "t1"}, names())
	require.Equal(t, []string{"t2"}, names("--limit", "1", "--before", "t3"))
	require.Contains(t, c.succeeds("jobs", "--json"), "1099511627777")
	require.Contains(t, c.refused(exitFailed, "jobs", "cancel", "t3"), "job t3 has ended already")
	require.Contains(t, c.refused(exitInput, "jobs", "cancel", "t99"), "t99")
	require.Contains(t, c.refused(exitUsage, "jobs", "cancel", "x"), "t12")
	require.Contains(t, c.refused(exitUsage, "jobs", "--state", "bogus"), "queued, running, done, failed or cancelled")
	for _, command := range []string{"jobs", "history"} {
		for _, limit := range []string{"0", "-1", "1001"} {
			require.Contains(t, c.refused(exitUsage, command, "--limit", limit), "1", limit)
		}
		require.Contains(t, c.refused(exitUsage, command, "--limit", "0"), "1 to 1000")
	}
}

func TestHowFarAJobIs(t *testing.T) {
	require.Equal(t, "3 of 8 sentences", howFar(3, 8, 0))
	require.Equal(t, "3 of 8 sentences", howFar(3, 8, 999))
	require.Equal(t, "1 of 1 sentence, about 2 minutes 5 seconds left", howFar(1, 1, 125_400))
}
