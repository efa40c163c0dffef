package clip

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOwnKnowsItsTextsAndTheirParts(t *testing.T) {
	var o own
	now := time.Now()
	o.remember("The weather is fine today.\nWe are going\r\nto the beach.", now)
	o.remember("今日は天気がいいです。", now)
	for text, want := range map[string]bool{
		"The weather is fine today. We are going to the beach.":   true,
		"The weather is fine today.\n We are going to the beach.": true,
		"We are going to the beach.":                              true,
		" fine today":                                             true,
		"weather":                                                 true,
		"eather is fin":                                           true, // cut within words
		"eat":                                                     false,
		"天気":                                                      true,
		"The weather is bad today.":                               false,
		"":                                                        false,
		" ":                                                       false,
	} {
		require.Equal(t, want, o.has(text, now.Add(time.Second)), "%q", text)
	}
	later := now.Add(time.Hour)
	require.False(t, o.has("weather", later), "a part is ours for a while")
	require.True(t, o.has("The weather is fine today. We are going to the beach.", later), "the whole for longer")
}

func TestOwnIsBounded(t *testing.T) {
	var o own
	now := time.Now()
	for i := range ownTexts + 10 {
		o.remember(fmt.Sprintf("text number %d", i), now)
	}
	require.Len(t, o.texts, ownTexts)
	require.False(t, o.has("text number 1", now.Add(time.Hour)))
	for i := range 10 {
		o.remember(strings.Repeat(fmt.Sprintf("%db ", i), ownBytes/6), now)
	}
	require.Len(t, o.texts, 2)
	require.LessOrEqual(t, o.bytes, ownBytes)
	o.remember(strings.Repeat("ab ", ownBytes), now)
	require.Len(t, o.texts, 1, "the newest is kept whatever its length")
}

// A translation that replaces what was copied is remembered when it is shown and
// when it is written.
func TestOwnKnowsATextOnce(t *testing.T) {
	var o own
	now := time.Now()
	for i := range ownTexts {
		for range 2 {
			o.remember(fmt.Sprintf("text number %d", i), now)
		}
	}
	require.True(t, o.has("text number 0", now.Add(time.Hour)))
	o.remember("text  number 0", now.Add(time.Hour))
	require.True(t, o.has("number 0", now.Add(time.Hour)), "its age counts anew")
	o.remember("another text", now)
	require.True(t, o.has("text number 0", now.Add(time.Hour)), "the oldest goes")
	require.False(t, o.has("text number 1", now.Add(time.Hour)))
	bytes := 0
	for _, known := range o.texts {
		bytes += len(known.text)
	}
	require.Equal(t, bytes, o.bytes)
}
