package store

import (
	"context"
	"time"
)

// A clock that goes on (or back) by at most maxStep between two looks is
// believed. After a longer step it must first go on for settled.
const (
	maxStep = 48 * time.Hour
	settled = 24 * time.Hour
)

// ExpireHistory deletes texts that are older than age for good, and returns
// their number. Call it every hour or so.
//
// A clock that is wrong for a while must not erase everything: when it shows
// more than two days after or before the last call, nothing expires until a
// call a day later agrees (a machine that was off for long expires a day late).
// Texts stamped in the future by a clock that was wrong count from now on. Only
// the oldest entries go, in the order they came: one with an old stamp between
// newer ones waits for them.
func (s *Store) ExpireHistory(ctx context.Context, age time.Duration) (expired int64, err error) {
	now := s.now()
	limit := now.Add(-age).UnixNano()
	err = s.freeing(ctx, durable, func(c *conn) error {
		believed, err := believe(c, now)
		if err != nil || !believed {
			return err
		}
		if _, err := c.exec("UPDATE history SET time = ?1 WHERE time > ?1", now.UnixNano()); err != nil {
			return err
		}
		expired, err = dropHistory(c, "id < coalesce((SELECT min(id) FROM history WHERE time >= ?), 9223372036854775807)", limit)
		return err
	})
	if err != nil || expired == 0 {
		return 0, s.fail("expire the history", err)
	}
	return expired, s.scrub(ctx, func(c *conn) error {
		_, err := dropHistory(c, "time < ?", limit)
		return err
	})
}

// believe says whether the clock can be right, and remembers what it showed.
func believe(c *conn, now time.Time) (bool, error) {
	var last, doubted int64
	err := c.row(`SELECT coalesce((SELECT value FROM meta WHERE name = 'clock'), 0),
		coalesce((SELECT value FROM meta WHERE name = 'clock_doubted'), 0)`, nil, &last, &doubted)
	if err != nil {
		return false, err
	}
	ns := now.UnixNano()
	since := func(ns int64) time.Duration { return now.Sub(time.Unix(0, ns)) }
	switch {
	case last == 0 || since(last).Abs() <= maxStep:
		return true, putMeta(c, map[string]int64{"clock": ns, "clock_doubted": 0})
	case doubted == 0 || ns < doubted:
		return false, putMeta(c, map[string]int64{"clock_doubted": ns})
	case since(doubted) >= settled:
		return true, putMeta(c, map[string]int64{"clock": ns, "clock_doubted": 0})
	}
	return false, nil
}
