//go:build long && linux

package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/tray/desktest"
)

// TestCopyToNotification measures, and asserts no time, which would be the
// machine's. From the second copy's beginning to the call of the notification
// service; the model's time is that of the job.
func TestCopyToNotification(t *testing.T) {
	s := newSeat(t, patient)
	s.service()
	s.tray("Ready")
	texts := []string{
		"The dog is black.", "The cat is white.", "The house is big.", "The car is red.", "The book is new.",
		"The door is open.", "The water is cold.", "The street is long.", "The tree is green.", "The night is dark.",
		"The child is small.", "The table is old.", "The garden is quiet.", "The river is deep.", "The bread is warm.",
		"The teacher is tired.", "The train is late.", "The room is empty.", "The winter is cold.", "The letter is short.",
	}
	editor := s.application()
	for _, how := range []struct {
		name string
		copy func(string)
	}{
		{"xclip", func(text string) { s.copyBy(text, "xclip", "-selection", "clipboard") }},
		{"a program that runs", editor.copy},
	} {
		var whole, rest, model []time.Duration
		for _, text := range texts {
			how.copy(text)
			time.Sleep(pause)
			shown := len(s.desk.Notes())
			begun := time.Now()
			how.copy(text)
			s.desk.Wait(t, func(desktest.Note) bool { return len(s.desk.Notes()) > shown })
			took := time.Since(begun)
			answer, err := s.client().Jobs(t.Context(), api.JobQuery{Limit: 1})
			require.NoError(t, err)
			require.Len(t, answer.Jobs, 1)
			j := answer.Jobs[0]
			require.Equal(t, len(text), j.Chars)
			whole, model = append(whole, took), append(model, j.Finished.Sub(j.Accepted))
			rest = append(rest, took-j.Finished.Sub(j.Accepted))
		}
		load, err := os.ReadFile("/proc/loadavg")
		require.NoError(t, err)
		t.Logf("%s: medians of %d: %s from the second copy to the notification, %s of it the job, %s the rest (%s to %s); load %s",
			how.name, len(texts), median(whole), median(model), median(rest), slices.Min(rest), slices.Max(rest), strings.Fields(string(load))[0])
		for i, text := range texts { // new ones, which the memory does not have
			texts[i] = "Today " + strings.ToLower(text[:1]) + text[1:]
		}
	}
}

func median(of []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(of))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
