package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"dragoman/daemon/config"

	"github.com/stretchr/testify/require"
)

func putModel(t *testing.T, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte("{}"), 0o644))
	return dir
}

func TestFindModelTakesTheFirstPlace(t *testing.T) {
	root := t.TempDir()
	exe := filepath.Join(root, "build", "dragoman")
	require.NoError(t, os.MkdirAll(filepath.Dir(exe), 0o755))
	require.NoError(t, os.WriteFile(exe, nil, 0o755))
	paths := config.Paths{DataDir: filepath.Join(root, "data")}

	// From the last place to the first: each new one hides those before.
	places := []string{
		filepath.Join(root, "data", "models", "starter"),
		filepath.Join(root, "assets", "starter"),
		filepath.Join(root, "share", "dragoman", "models", "starter"),
		filepath.Join(root, "build", "models", "starter"),
		filepath.Join(root, "build", "assets", "starter"),
	}
	for _, place := range places {
		putModel(t, place)
		found, err := paths.FindModel(exe, "", "")
		require.NoError(t, err)
		require.Equal(t, place, found)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(root, "build", "assets")))
	require.NoError(t, os.RemoveAll(filepath.Join(root, "build", "models")))

	link := filepath.Join(root, "bin", "dragoman")
	require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o755))
	if err := os.Symlink(exe, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	found, err := paths.FindModel(link, "", "")
	require.NoError(t, err)
	require.Equal(t, places[2], found)
}

func TestFindModelChoices(t *testing.T) {
	root := t.TempDir()
	flag := putModel(t, root, "models", "flag")
	env := putModel(t, root, "models", "env")
	configured := putModel(t, root, "models", "configured")
	elsewhere := putModel(t, root, "elsewhere")
	paths := config.Paths{DataDir: root}
	withEnv := config.Paths{DataDir: root, Model: "env"}

	for name, test := range map[string]struct {
		paths             config.Paths
		asked, configured string
		want              string
	}{
		"flag":                {withEnv, "flag", "configured", flag},
		"environment":         {withEnv, "", "configured", env},
		"configured":          {paths, "", "configured", configured},
		"path":                {paths, elsewhere, "", elsewhere},
		"path with a dot dot": {paths, filepath.Join(root, "models") + "/../elsewhere", "", elsewhere},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := test.paths.FindModel("", test.asked, test.configured)
			require.NoError(t, err)
			require.Equal(t, test.want, found)
		})
	}
}

func TestFindModelSaysWhereItLooked(t *testing.T) {
	root := t.TempDir()
	putModel(t, root, "models", "starter")
	paths := config.Paths{DataDir: root, Model: "m2m100_418M"}

	_, err := paths.FindModel(filepath.Join(root, "bin", "dragoman"), "", "")
	require.ErrorContains(t, err, `no model named "m2m100_418M" (from DRAGOMAN_MODEL)`)
	require.ErrorContains(t, err, filepath.Join(root, "bin", "assets", "m2m100_418M"))
	require.ErrorContains(t, err, filepath.Join(root, "models", "m2m100_418M"))

	empty := t.TempDir()
	_, err = paths.FindModel("", empty, "")
	require.ErrorContains(t, err, "no model in "+empty+" (as asked)")
}

func TestFindModelOfTheCheckout(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	starter := filepath.Join(root, "assets", "starter")
	if _, err := os.Stat(starter); err != nil {
		t.Skipf("the starter model is not in this checkout: %v", err)
	}
	build := filepath.Join(root, "build", "dragoman") // need not exist
	found, err := config.Paths{DataDir: t.TempDir()}.FindModel(build, "", "")
	require.NoError(t, err)
	require.Equal(t, starter, found)
}
