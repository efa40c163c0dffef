package catalogue

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCatalogueIsWhole(t *testing.T) {
	all := All()
	require.GreaterOrEqual(t, len(all), 3)
	seen := map[string]bool{}
	for i, m := range all {
		require.Regexp(t, `^[A-Za-z0-9][A-Za-z0-9._-]*$`, m.Name, "it is a folder's name")
		require.False(t, seen[m.Name], m.Name)
		seen[m.Name] = true
		require.NotEmpty(t, m.Title, m.Name)
		require.NotEmpty(t, m.Licence, m.Name)
		require.NotEmpty(t, m.Quality, m.Name)
		require.Positive(t, m.Languages, m.Name)
		require.Positive(t, m.Memory, m.Name)
		require.Equal(t, m.Repository == "", m.Revision == "", m.Name)
		require.Equal(t, m.Repository == "", m.Download == 0, m.Name)
		if i > 0 {
			require.Less(t, all[i-1].Parameters, m.Parameters, m.Name)
		}
		for _, f := range m.Files {
			require.Regexp(t, regexp.MustCompile(`^[0-9a-f]{64}$`), f.SHA256, f.Path)
			require.Positive(t, f.Size, f.Path)
			require.Equal(t, f.SHA256, m.Sum(f.Path))
		}
		found, ok := Find(m.Name)
		require.True(t, ok)
		require.Equal(t, m, found)
	}
	_, ok := Find("none")
	require.False(t, ok)
	require.Empty(t, all[0].Sum("none"))
}

// The starter is what the catalogue says that it is.
func TestStarterIsThere(t *testing.T) {
	m, ok := Find("starter")
	require.True(t, ok)
	require.Empty(t, m.Repository)
	require.Len(t, m.Files, 7, "all that the packages carry of it")
	for _, f := range m.Files {
		content, err := os.ReadFile(filepath.Join("..", "..", "..", "assets", m.Name, f.Path))
		require.NoError(t, err)
		require.Equal(t, f.SHA256, fmt.Sprintf("%x", sha256.Sum256(content)), f.Path)
		require.EqualValues(t, f.Size, len(content), f.Path)
	}
}

func TestOnHub(t *testing.T) {
	listed, _ := Find("m2m100_418M")
	for _, name := range []string{"m2m100_418M", "facebook/m2m100_418M"} {
		m, ok := OnHub(name)
		require.True(t, ok)
		require.Equal(t, listed, m)
	}
	m, ok := OnHub("some/model")
	require.True(t, ok)
	require.Equal(t, Model{Name: "model", Repository: "some/model", Revision: "main"}, m)
	for _, name := range []string{"", "starter", "model", "../model", "some/../model", "a/b/c"} {
		_, ok := OnHub(name)
		require.False(t, ok, name)
	}
}
