//go:build long

package libretranslate

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// The clients are fetched from their registries as a user would; a machine
// that cannot reach those skips.

// tools is the folder below build/ where a client is installed.
func tools(t *testing.T, name string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "build", "libretranslate", name))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	return dir
}

func install(t *testing.T, dir, command string, arguments ...string) {
	t.Helper()
	if _, err := exec.LookPath(command); err != nil {
		t.Skipf("%s is not installed", command)
	}
	cmd := exec.Command(command, arguments...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%s could not install the client: %v\n%s", command, err, out)
	}
}

func run(t *testing.T, dir, command string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command(command, arguments...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func TestPythonClient(t *testing.T) {
	dir := tools(t, "python")
	install(t, dir, "python3", "-m", "venv", "venv")
	python := filepath.Join(dir, "venv", "bin", "python")
	if runtime.GOOS == "windows" {
		python = filepath.Join(dir, "venv", "Scripts", "python.exe")
	}
	install(t, dir, python, "-m", "pip", "install", "--quiet", "libretranslatepy==2.1.4")

	h, _, _ := setup(t, nil)
	address := "http://" + serve(t, h, nil)
	const script = `
import json, sys, urllib.error
from libretranslatepy import LibreTranslateAPI
lt = LibreTranslateAPI(sys.argv[1], sys.argv[2])
print(json.dumps([lt.translate("Grüße & Küsse\nzwei", "de", "en"), lt.translate("Where is the house?", "auto", "es"),
    lt.detect("Où est la maison ?")[0]["language"], [l["code"] for l in lt.languages()]]))
try:
    LibreTranslateAPI(sys.argv[1], "wrong").translate("Hello")
except urllib.error.HTTPError as e:
    print(e.code, json.loads(e.read())["error"])
`
	out := run(t, dir, python, "-c", script, address, testKey)
	require.Equal(t, `["[en]Gr\u00fc\u00dfe & K\u00fcsse\nzwei", "[es]Where is the house?", "fr", ["de", "en", "es", "fr", "it", "no", "pt", "zh"]]`+
		"\n403 wrong API key\n", out)
}

func TestNodeClient(t *testing.T) {
	dir := tools(t, "node")
	install(t, dir, "npm", "install", "--no-audit", "--no-fund", "--silent", "--omit=dev", "libretranslate@1.0.1")

	h, _, _ := setup(t, nil)
	address := "http://" + serve(t, h, nil)
	const script = `
const { translate } = require("libretranslate");
(async () => {
  console.log(await translate({ query: "Grüße & Küsse", source: "de", target: "en", apiurl: process.argv[1], apiKey: process.argv[2] }));
  console.log(await translate({ query: "<p>Où est la maison ?</p>", target: "en", format: "html", apiurl: process.argv[1], apiKey: process.argv[2] }));
})();
`
	out := run(t, dir, "node", "-e", script, address, testKey)
	require.Equal(t, "[en]Grüße & Küsse\n<p>[en]Où est la maison ?</p>\n", out)
}
