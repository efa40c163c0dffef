package api

import "time"

// HistoryEntry is a translated text that was kept.
type HistoryEntry struct {
	ID     int64     `json:"id"`
	Time   time.Time `json:"time"`
	Origin Origin    `json:"origin"`
	From   string    `json:"from"`
	To     string    `json:"to"`
	Source string    `json:"source"`
	Target string    `json:"target"`
}

// HistoryQuery filters GET /v1/history.
type HistoryQuery struct {
	Search string // words that source or target must hold; "" is everything
	Before int64  // entries with a smaller id, for the next page
	Limit  int    // 1 to 1000; 50 if 0
}

// HistoryResponse is the body of GET /v1/history, newest first.
type HistoryResponse struct {
	Enabled bool           `json:"enabled"` // whether new entries are kept
	Entries []HistoryEntry `json:"entries"`
}

// ErasedResponse says how much DELETE /v1/history erased.
type ErasedResponse struct {
	Entries int64 `json:"entries"`
}
