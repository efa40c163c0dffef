package api

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestQueriesComeBackAsTheyWent(t *testing.T) {
	for _, q := range []JobQuery{
		{Limit: DefaultJobLimit}, {JobCancelled, 9, 1 << 40, MaxLimit},
	} {
		got, err := ParseJobQuery(q.Values())
		require.NoError(t, err)
		require.Equal(t, q, got)
	}
	for _, q := range []HistoryQuery{
		{Limit: DefaultHistoryLimit}, {"zwei Wörter & = ?", 1 << 40, 1},
	} {
		got, err := ParseHistoryQuery(q.Values())
		require.NoError(t, err)
		require.Equal(t, q, got)
	}
	for _, before := range []time.Time{{}, time.Date(2026, 11, 27, 18, 0, 0, 123456789, time.UTC)} {
		got, err := ParseEraseQuery(eraseValues(before))
		require.NoError(t, err)
		require.True(t, before.Equal(got))
	}
	got, err := ParseJobQuery(url.Values{})
	require.NoError(t, err)
	require.Equal(t, JobQuery{Limit: DefaultJobLimit}, got)
}

func TestWrongQueriesNameTheParameter(t *testing.T) {
	jobs := func(v url.Values) error { _, err := ParseJobQuery(v); return err }
	history := func(v url.Values) error { _, err := ParseHistoryQuery(v); return err }
	erase := func(v url.Values) error { _, err := ParseEraseQuery(v); return err }
	for _, test := range []struct {
		parse func(url.Values) error
		query string
		want  string
	}{
		{jobs, "state=gone", "state: use queued"},
		{jobs, "folder=x", "folder: give"},
		{jobs, "folder=0", "folder: give"},
		{jobs, "before=-1", "before: give"},
		{jobs, "limit=0", "limit: give a number from 1 to 1000"},
		{jobs, "limit=1001", "limit: give"},
		{jobs, "limit=", "limit: give"},
		{history, "before=1e3", "before: give"},
		{history, "search=Geheimnis&limit=x", "limit: give"},
		{erase, "before=yesterday", "before: give a time"},
		{erase, "before=", "before: give a time"},
		{erase, "before=0001-01-01T00:00:00Z", "before: give a time"},
	} {
		v, err := url.ParseQuery(test.query)
		require.NoError(t, err)
		err = test.parse(v)
		require.ErrorContains(t, err, test.want, test.query)
		require.NotContains(t, err.Error(), secret)
	}
}
