package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// long is a text of so many different sentences.
func long(sentences int) string {
	var b strings.Builder
	for i := range sentences {
		fmt.Fprintf(&b, "The house number %d is big and the dog is small.\n", i)
	}
	return b.String()
}

func (s *service) jobs(q api.JobQuery) []api.Job {
	s.t.Helper()
	r, err := s.Jobs(s.t.Context(), q)
	require.NoError(s.t, err)
	return r.Jobs
}

// put drops a file into a new folder, from a language into Spanish.
func (s *service) put(from, name, text string) api.Folder {
	s.t.Helper()
	dir := s.t.TempDir()
	require.NoError(s.t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	f, err := s.AddFolder(s.t.Context(), api.FolderSettings{Path: dir, From: from, To: []string{"es"}})
	require.NoError(s.t, err)
	return f
}

func TestJobsAreListedByTime(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	for i := range 15 {
		s.translate("en", "de", fmt.Sprintf("Dog number %d.", i))
	}
	s.put("en", "a.txt", "The house is big.\n")
	s.until(func(now api.Snapshot) bool { return now.Totals.Files == 1 })
	for i := range 4 {
		s.translate("en", "de", fmt.Sprintf("Cat number %d.", i))
	}
	all := s.jobs(api.JobQuery{})
	require.Len(t, all, 20)
	require.True(t, slices.IsSortedFunc(all, func(a, b api.Job) int { return b.Accepted.Compare(a.Accepted) }))
	for i, j := range all {
		require.Equal(t, map[bool]api.JobKind{true: api.JobFile, false: api.JobText}[i == 4], j.Kind)
		one, err := s.Job(t.Context(), j.ID)
		require.NoError(t, err)
		require.Equal(t, j, one)
	}
	require.Equal(t, "t1", all[19].Name())

	var paged []api.Job
	for before := int64(0); ; before = paged[len(paged)-1].ID {
		page := s.jobs(api.JobQuery{Limit: 3, Before: before})
		require.LessOrEqual(t, len(page), 3)
		if len(page) == 0 {
			break
		}
		paged = append(paged, page...)
	}
	require.Equal(t, all, paged)
	require.Equal(t, all, s.jobs(api.JobQuery{State: api.JobDone}))
	for _, state := range []api.JobState{api.JobQueued, api.JobRunning, api.JobFailed, api.JobCancelled} {
		require.Empty(t, s.jobs(api.JobQuery{State: state}), state)
	}
	_, err := s.Jobs(t.Context(), api.JobQuery{Before: api.FirstText + 99})
	require.ErrorIs(t, err, api.ErrNotFound)
}

func TestFileIsRunningAndCancelled(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	f := s.put("en", "long.txt", long(endless))
	now := s.catch(func(now api.Snapshot) bool { return len(now.Running) == 1 && now.Running[0].Done > 0 })
	job := now.Running[0]
	require.Equal(t, "long.txt", job.Path)
	require.Equal(t, endless, job.Total)
	require.Less(t, job.Done, endless)
	require.False(t, job.Accepted.IsZero())
	for _, state := range []api.JobState{"", api.JobRunning} {
		listed := s.jobs(api.JobQuery{State: state, Folder: f.ID})
		require.Len(t, listed, 1)
		require.Equal(t, api.JobRunning, listed[0].State)
		require.GreaterOrEqual(t, listed[0].Done, job.Done)
	}
	require.Empty(t, s.jobs(api.JobQuery{State: api.JobQueued}))
	require.NoError(t, s.CancelJob(t.Context(), job.ID))
	s.until(func(now api.Snapshot) bool { return len(now.Running) == 0 })
	require.Len(t, s.jobs(api.JobQuery{State: api.JobCancelled}), 1)
	require.Empty(t, s.jobs(api.JobQuery{State: api.JobFailed}))
}

func TestNothingIsSaidOfPrivateTexts(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	result := make(chan error, 1)
	go func() {
		_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{long(endless)}, From: "en", To: "de", Private: true})
		result <- err
	}()
	now := s.catch(func(now api.Snapshot) bool { return len(now.Running) == 1 })
	require.Equal(t, []string{"", "", ""}, []string{now.Running[0].From, now.Running[0].To, now.Running[0].Error})
	require.Zero(t, now.Running[0].Chars)
	require.Zero(t, now.Running[0].Total)
	require.True(t, now.Running[0].Private)
	require.NoError(t, s.CancelJob(t.Context(), now.Running[0].ID), "it can be given up all the same")
	require.ErrorIs(t, <-result, api.ErrCancelled)
	_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{"The house is big."}, From: "en", To: "de", Private: true})
	require.NoError(t, err)
	now = s.until(func(now api.Snapshot) bool { return len(now.Running) == 0 })
	require.Equal(t, int64(1), now.Totals.Texts, "only counted")
	require.Empty(t, now.Recent)
	require.Empty(t, s.jobs(api.JobQuery{}))
}

// TestTextThatJoinsAFile asks for what a folder's file is being translated for.
func TestTextThatJoinsAFile(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	text := long(100)
	s.put("en", "long.txt", text)
	s.catch(func(now api.Snapshot) bool { return len(now.Running) == 1 })
	before := time.Now()
	got := s.translate("en", "es", text)
	require.True(t, got.Shared)
	now := s.until(func(now api.Snapshot) bool { return now.Totals.Files == 1 })
	require.Equal(t, int64(1), now.Totals.Texts)
	require.Equal(t, int64(100), now.Totals.Sentences, "translated once")
	kept, err := s.History(t.Context(), api.HistoryQuery{})
	require.NoError(t, err)
	require.Len(t, kept.Entries, 1)
	require.Equal(t, text, kept.Entries[0].Source)
	require.Equal(t, got.Text, kept.Entries[0].Target)
	require.Equal(t, api.OriginAPI, kept.Entries[0].Origin)
	jobs := s.jobs(api.JobQuery{})
	require.Len(t, jobs, 2)
	require.Equal(t, got.Job, jobs[0].ID)
	require.Equal(t, api.JobText, jobs[0].Kind)
	require.Equal(t, api.JobDone, jobs[0].State)
	require.False(t, jobs[0].Accepted.Before(before.Truncate(0)))
}
