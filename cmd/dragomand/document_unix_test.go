//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// A document whose translation is cut off by kill -9 goes on where it was: what was
// translated of it is remembered, but for the last 256 sentences or three seconds
// at most, which had not been written.
func TestKilledDocumentGoesOnWhereItWas(t *testing.T) {
	const messages, before, unwritten = 900, 500, 256
	h := newHome(t, "")
	p := h.launch().answering()
	h.succeeds("folders", "add", "--from", "en", "--to", "es", "inbox")
	p.warm()
	var po strings.Builder
	for n := range messages {
		fmt.Fprintf(&po, "msgid \"The house is big and the number is %d.\"\nmsgstr \"\"\n\n", n)
	}
	outside := h.path("outside.po")
	require.NoError(t, os.WriteFile(outside, []byte(po.String()), 0o600))
	require.NoError(t, os.Rename(outside, h.path("inbox/app.po")))
	seen := h.catch(func(s api.Snapshot) bool {
		return len(s.Running) > 0 && s.Running[0].Done >= before
	})
	require.Equal(t, messages, seen.Running[0].Total, "the progress of the file is told")
	p.kill()
	require.NoFileExists(t, h.path("inbox/translated/app.es.po"))

	h.launch().warm()
	h.eventually("the translation", func() bool {
		_, err := os.Stat(h.path("inbox/translated/app.es.po"))
		return err == nil
	})
	status, err := h.client().Status(t.Context())
	require.NoError(t, err)
	require.NotContains(t, h.read("inbox/translated/app.es.po"), "msgstr \"\"\n")
	require.GreaterOrEqual(t, status.Totals.Remembered, int64(before-unwritten-32), "%+v", status.Totals)
	t.Logf("killed after %d of %d; then %d were remembered", seen.Running[0].Done, messages, status.Totals.Remembered)
}
