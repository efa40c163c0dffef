package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lines answers with one line after the other, each flushed.
func lines(w http.ResponseWriter, more ...StreamLine) {
	w.Header().Set("Content-Type", TypeLines)
	for _, l := range more {
		_ = json.NewEncoder(w).Encode(l)
		_ = http.NewResponseController(w).Flush()
	}
}

func TestPiecesComeWhenTheyAreReady(t *testing.T) {
	seen := make(chan struct{})
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request TranslateRequest
		_ = json.NewDecoder(r.Body).Decode(&request)
		if !request.Stream || r.Header.Get("Accept") != TypeLines {
			return
		}
		lines(w, StreamLine{Piece: &Piece{Text: "uno ", Done: 1, Total: 2}})
		<-seen // the first was read before there was a second
		_, _ = io.WriteString(w, "{}\n{\"later\":{\"version\":2}}\r\n")
		lines(w, StreamLine{Piece: &Piece{Text: "dos", Done: 2, Total: 2}},
			StreamLine{Done: &TranslateResponse{Translations: []Translation{{Job: 3, Text: "uno dos"}}}})
	}))
	var got []string
	done, err := s.TranslateStream(t.Context(), TranslateRequest{Texts: []string{"one two"}}, func(p Piece) error {
		if p.Done == 1 {
			close(seen)
		}
		got = append(got, p.Text)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []string{"uno ", "dos"}, got)
	require.Equal(t, "uno dos", done.Translations[0].Text)
}

func TestStreamsThatEndBadly(t *testing.T) {
	piece := StreamLine{Piece: &Piece{Text: secret}}
	enough := errors.New("enough")
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		each    error
		is      error
		want    string
	}{
		"a problem at the end": {
			handler: func(w http.ResponseWriter, _ *http.Request) {
				lines(w, piece, StreamLine{Problem: &Problem{Code: CodeCancelled, Detail: "cancelled"}})
			}, is: ErrCancelled, want: "cancelled"},
		"a problem at the beginning": {
			handler: func(w http.ResponseWriter, _ *http.Request) {
				reply(w, http.StatusServiceUnavailable, TypeProblem, Problem{Code: CodeBusy})
			}, is: ErrBusy},
		"an error of the caller": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.ReadAll(r.Body)
				lines(w, piece)
				<-r.Context().Done() // which ends it
			}, each: enough, is: enough},
		"no end": {
			handler: func(w http.ResponseWriter, _ *http.Request) { lines(w, piece) }, is: io.ErrUnexpectedEOF, want: "the connection ended early"},
		"a line without end": {
			handler: func(w http.ResponseWriter, _ *http.Request) { endless(w, TypeLines) }, want: "16 MiB"},
		"half a line": {
			handler: raw(http.StatusOK, TypeLines, `{"piece":{"text":"`+secret), is: io.ErrUnexpectedEOF},
		"no JSON": {
			handler: raw(http.StatusOK, TypeLines, secret+"\n"), want: "no JSON at byte 1"},
		"one answer": {
			handler: raw(http.StatusOK, TypeJSON, "{}"), want: "not application/x-ndjson"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := serve(t, test.handler).TranslateStream(t.Context(), TranslateRequest{}, func(Piece) error { return test.each })
			require.Error(t, err)
			if test.is != nil {
				require.ErrorIs(t, err, test.is)
			}
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), secret)
			require.Empty(t, got.Translations)
		})
	}
}

func TestLinesAreBounded(t *testing.T) {
	fits := strings.Repeat("x", maxLine-1) + "\n"
	line, err := readLine(bufio.NewReader(strings.NewReader(fits)))
	require.NoError(t, err)
	require.Len(t, line, maxLine-1)
	_, err = readLine(bufio.NewReader(strings.NewReader("x" + fits)))
	require.ErrorContains(t, err, "16 MiB")
}
