//go:build unix

package main

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/openvino/ovtest"
)

// library is the model in the test's own process, for what an undisturbed run
// gives. It has nothing of the daemon in it.
var library struct {
	once sync.Once
	*inference.Translator
	err error
}

// undisturbed translates from English by the library. Sentences that were
// translated before are taken from known, where that is not nil.
func undisturbed(t *testing.T, to, text string, known sentences) string {
	t.Helper()
	found := ovtest.Library(t)
	library.once.Do(func() {
		library.Translator, library.err = inference.Open(t.Context(), inference.Options{
			Runtime: found, ModelDir: starter(), Recipe: "int8", Cache: inference.Cache{Dir: shared.cache},
		})
	})
	require.NoError(t, library.err)
	if strings.TrimSpace(text) == "" {
		return text
	}
	request := inference.Request{Text: text, From: "en", To: to}
	if known != nil {
		request.Memory = known
	}
	result, err := library.Translate(t.Context(), request)
	require.NoError(t, err)
	return result.Text
}

// sentences are translations into one language.
type sentences map[string]string

func (s sentences) Recall(sentence string) (string, bool) {
	translation, found := s[sentence]
	return translation, found
}

func (s sentences) Remember(sentence, translation string) { s[sentence] = translation }
