package api

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Job is a piece of work, from being accepted to its end.
type Job struct {
	ID       int64     `json:"id"`
	Kind     JobKind   `json:"kind"`
	State    JobState  `json:"state"`
	Lane     Lane      `json:"lane"`
	Origin   Origin    `json:"origin"`
	From     string    `json:"from"`
	To       string    `json:"to"`
	Chars    int       `json:"chars,omitempty"`  // of the text
	Folder   int64     `json:"folder,omitempty"` // of a file
	Path     string    `json:"path,omitempty"`   // of the input, below the folder
	Output   string    `json:"output,omitempty"` // absolute
	Done     int       `json:"done"`             // sentences
	Total    int       `json:"total"`
	RestMS   int64     `json:"rest_ms,omitempty"` // how long the rest takes as fast as it went so far, 0 while that is not known
	Error    string    `json:"error,omitempty"`
	Private  bool      `json:"private,omitempty"` // nothing is said of it, and it is forgotten at its end
	Accepted time.Time `json:"accepted"`
	Finished time.Time `json:"finished,omitzero"`
}

// FirstText is the least id of a text; those of files stay below. Ids of texts
// begin anew with each start of the daemon.
const FirstText = 1 << 40

// Name is a job's id as people read and type it: "t12" is the twelfth text,
// "345" a file.
func (j Job) Name() string {
	if j.ID >= FirstText {
		return "t" + strconv.FormatInt(j.ID-FirstText, 10)
	}
	return strconv.FormatInt(j.ID, 10)
}

// ParseJobName returns the id that Name wrote; a text's whole number does as
// well.
func ParseJobName(name string) (id int64, err error) {
	digits, text := strings.CutPrefix(name, "t")
	id, err = strconv.ParseInt(digits, 10, 64)
	if err != nil || id < 1 || text && id > math.MaxInt64-FirstText {
		return 0, fmt.Errorf("%q is no job: a text is named like t12, a file like 345", name)
	}
	if text {
		id += FirstText
	}
	return id, nil
}

// JobKind says what a job translates.
type JobKind string

const (
	JobText JobKind = "text" // the last thousand are remembered until the daemon ends
	JobFile JobKind = "file" // a row of the ledger
)

// JobState is how far a job is.
type JobState string

const (
	JobQueued    JobState = "queued"
	JobRunning   JobState = "running"
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// JobQuery filters GET /v1/jobs; the zero value asks for the newest.
type JobQuery struct {
	State  JobState
	Folder int64
	Before int64 // only what comes after the job of this id in the list, for the next page
	Limit  int   // 1 to 1000; 100 if 0
}

// JobsResponse is the body of GET /v1/jobs: what was accepted last comes first.
type JobsResponse struct {
	Jobs []Job `json:"jobs"`
}
