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

// undisturbed translates from English by the library. Sentences that another
// test has asked for are not translated again.
func undisturbed(t *testing.T, to, text string) string {
	t.Helper()
	return byLibrary(t, to, text, remembered{to})
}

// afresh is the same without a memory.
func afresh(t *testing.T, to, text string) string {
	t.Helper()
	return byLibrary(t, to, text, nil)
}

func byLibrary(t *testing.T, to, text string, memory inference.Memory) string {
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
	result, err := library.Translate(t.Context(), inference.Request{Text: text, From: "en", To: to, Memory: memory})
	require.NoError(t, err)
	return result.Text
}

// translations are all that the library has made, by language and sentence.
var translations sync.Map

// remembered are those into one language.
type remembered struct{ to string }

func (r remembered) Recall(sentence string) (string, bool) {
	translation, found := translations.Load([2]string{r.to, sentence})
	if !found {
		return "", false
	}
	return translation.(string), true
}

func (r remembered) Remember(sentence, translation string) {
	translations.Store([2]string{r.to, sentence}, translation)
}
