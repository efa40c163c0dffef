package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkTranslate is what the way through socket, HTTP and JSON adds to a
// short text's translation, each time over a new connection.
func BenchmarkTranslate(b *testing.B) {
	s := serve(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request TranslateRequest
		_ = json.NewDecoder(r.Body).Decode(&request)
		reply(w, http.StatusOK, TypeJSON, TranslateResponse{Translations: []Translation{{Text: request.Texts[0], From: "en"}}})
	}))
	request := TranslateRequest{Texts: []string{"Where is the nearest train station?"}, From: "en", To: "de"}
	for b.Loop() {
		answer, err := s.Translate(b.Context(), request)
		require.NoError(b, err)
		require.Len(b, answer.Translations, 1)
	}
}

// BenchmarkPiece is what one more piece of a streamed translation costs.
func BenchmarkPiece(b *testing.B) {
	s := serve(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			lines(w, StreamLine{Piece: &Piece{Text: "Wo ist der nächste Bahnhof? ", Done: 1, Total: 2}})
		}
	}))
	n, enough := 0, errors.New("enough")
	b.ResetTimer()
	_, err := s.TranslateStream(b.Context(), TranslateRequest{}, func(Piece) error {
		if n++; n > b.N {
			return enough
		}
		return nil
	})
	require.ErrorIs(b, err, enough)
}
