package device_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
)

// docs/npu.md says what users read about problems, machines and formats; it
// must not fall behind.
func TestTheDocumentKeepsUp(t *testing.T) {
	text, err := os.ReadFile("../../docs/npu.md")
	require.NoError(t, err)
	doc := string(text)
	for name, m := range machines {
		for _, f := range m.findings {
			require.Contains(t, doc, "`"+string(f.problem)+"`", name)
		}
	}
	require.Contains(t, doc, "`"+string(device.Unseen)+"`")
	for _, g := range device.Generations() {
		require.Contains(t, doc, g.Name()+" | "+string(g)+" |")
	}
	figures, err := os.ReadFile("testdata/formats/npu.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(figures)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 4 || strings.HasPrefix(line, "#") || f[3] == "-" {
			continue
		}
		n, err := strconv.Atoi(f[3])
		require.NoError(t, err)
		require.Contains(t, doc, strconv.Itoa(n/1000)+","+strconv.Itoa(n)[len(f[3])-3:], line)
	}
}
