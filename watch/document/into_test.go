package document

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTranslationsOfAnotherLanguageAreRefused: a file would have both, and call them by
// one name.
func TestTranslationsOfAnotherLanguageAreRefused(t *testing.T) {
	const (
		po    = "msgid \"\"\nmsgstr \"\"\n\"Language: de_AT\\n\"\n\nmsgid \"Open\"\nmsgstr \"Öffnen\"\n\nmsgid \"Close\"\nmsgstr \"\"\n"
		xliff = `<?xml version="1.0"?><xliff version="1.2"><file source-language="en" target-language="de-AT"><body>` +
			`<trans-unit id="1"><source>Open</source><target>Öffnen</target></trans-unit><trans-unit id="2"><source>Close</source></trans-unit></body></file></xliff>`
		qt = `<?xml version="1.0"?><!DOCTYPE TS><TS version="2.1" language="de_AT"><context><name>a</name>` +
			`<message><source>Open</source><translation>Öffnen</translation></message><message><source>Close</source><translation type="unfinished"></translation></message></context></TS>`
	)
	for name, body := range map[string]string{"de.po": po, "de.xliff": xliff, "de.ts": qt} {
		into := func(body, to string) error {
			doc, err := Parse(name, []byte(body))
			require.NoError(t, err, name)
			return doc.Into(to)
		}
		require.NoError(t, into(body, "de"), name)
		err := into(body, "es")
		require.ErrorContains(t, err, "its translations are in the language \"de", name)
		require.ErrorContains(t, err, "translate the template")
		require.NoError(t, into(strings.ReplaceAll(body, "Öffnen", ""), "es"), name) // only the name is there
		require.NoError(t, into(strings.NewReplacer("de-AT", "", "de_AT", "").Replace(body), "es"), name)
	}
}
