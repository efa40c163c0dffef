package main

import (
	"github.com/spf13/pflag"

	"dragoman/watch/document"
)

// readingFlags say what a user knows of the files they give.
type readingFlags struct {
	said document.Reading
}

func (r *readingFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&r.said.Encoding, "encoding", "", "`NAME` of the encoding of text files without a byte order mark, such as latin1 or shift_jis (default found out)")
	flags.StringArrayVar(&r.said.JSONPaths, "json-path", nil, "translate only the values of JSON at a `PATH` such as messages.*.text or **.title; !PATH leaves some alone (may be repeated)")
	flags.StringSliceVar(&r.said.Columns, "columns", nil, "translate only these `COLUMNS` of CSV and TSV: numbers from 1, ranges or names of the first row, such as 2,4-6,Title; !Notes leaves one alone")
}

// given says whether any of them is.
func (r *readingFlags) given() bool {
	return r.said.Encoding != "" || len(r.said.JSONPaths) > 0 || len(r.said.Columns) > 0
}
