//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// A house in the answers of one model is a book in those of the other.
var saysHouse = map[string]string{"house": "Haus", "book": "Buch"}

// importTwo imports the starter as the model house, and as the model book a
// checkpoint in whose vocabulary two words have changed places, so that every
// answer tells which of the two gave it.
func importTwo(t *testing.T, h *home) {
	t.Helper()
	h.succeeds("models", "import", starter(), "--name", "house")
	book := h.path("book")
	require.NoError(t, os.CopyFS(book, os.DirFS(starter())))
	file := filepath.Join(book, "vocab.json")
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	var ids map[string]int
	require.NoError(t, json.Unmarshal(content, &ids))
	ids["▁Haus"], ids["▁Buch"] = ids["▁Buch"], ids["▁Haus"]
	content, err = json.Marshal(ids)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, content, 0o600))
	h.succeeds("models", "import", book, "--name", "book")
	require.NoError(t, os.RemoveAll(book))
}

// modelOf tells which model gave an answer, or what is wrong with it: all
// sentences must be there, and of the same model.
func modelOf(answer string, numbers ...int) (string, error) {
	for name, noun := range saysHouse {
		if strings.Count(answer, noun) != len(numbers) {
			continue
		}
		for _, n := range numbers {
			if !strings.Contains(answer, fmt.Sprintf(" %d ", n)) {
				return "", fmt.Errorf("%q lacks number %d", answer, n)
			}
		}
		return name, nil
	}
	return "", fmt.Errorf("%q is of no model, or not whole", answer)
}

// choices are the models that `models use` was told to use, in their order.
type choices struct {
	mu      sync.Mutex
	made    int    // and begun
	settled string // the model that serves and will until the next choice, "" while it is being chosen
}

func (c *choices) set(made int, settled string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made, c.settled = made, settled
}

func (c *choices) now() (int, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made, c.settled
}

// While `models use` is called again and again, texts come from several clients
// and a drop folder's files are in work. Every text has its answer, every file is
// whole, and where no choice fell into the time of a text its answer is of the
// model that served in that time.
func TestNoTextIsLostWhileModelsAreChosen(t *testing.T) {
	h := newHome(t, "")
	h.env["DRAGOMAN_MODEL"] = ""
	importTwo(t, h)
	models := []string{"book", "house"}
	h.succeeds("models", "use", "house")
	p := h.launch().warm()

	const files, lines, clients, rounds = 16, 3, 2, 4
	numbers := func(file int) (all []int) {
		for line := range lines {
			all = append(all, 1000+file*lines+line)
		}
		return all
	}
	for n := range files {
		var text strings.Builder
		for _, number := range numbers(n) {
			fmt.Fprintf(&text, "The house number %d is big.\n", number)
		}
		h.write(fmt.Sprintf("in/f%d.txt", n), text.String())
	}
	var chosen choices
	chosen.set(0, "house")
	_, err := h.client().AddFolder(t.Context(), api.FolderSettings{Path: h.path("in"), From: "en", To: []string{"de"}})
	require.NoError(t, err)

	over := make(chan struct{})
	var group sync.WaitGroup
	var sure [2]atomic.Int64 // texts whose model was certain, of each
	failures := make(chan error, clients)
	for c := range clients {
		client := h.client()
		group.Go(func() {
			for n := 10_000 * (c + 1); ; n++ {
				select {
				case <-over:
					return
				default:
				}
				lane := api.LaneInteractive
				if n%4 != 0 {
					lane = api.LaneBatch // else files would wait for ever
				}
				before, model := chosen.now()
				got, err := client.Translate(t.Context(), api.TranslateRequest{Texts: []string{fmt.Sprintf("The house number %d is big.", n)}, From: "en", To: "de", Lane: lane})
				after, _ := chosen.now()
				by := ""
				if err == nil {
					by, err = modelOf(got.Translations[0].Text, n)
				}
				if err == nil && model != "" && before == after {
					if by != model {
						err = fmt.Errorf("text %d is of model %s while %s served", n, by, model)
					}
					sure[slices.Index(models, by)].Add(1)
				}
				if err != nil {
					failures <- err
					return
				}
			}
		})
	}
	serves := func(model string) {
		h.until(func(now api.Snapshot) bool { return now.Model.Name == model && now.Model.Warming == "" })
	}
	made := 0
	for range rounds {
		for i, model := range models {
			made++
			certain := sure[i].Load() + clients
			chosen.set(made, "")
			h.succeeds("models", "use", model)
			serves(model)
			chosen.set(made, model)
			h.eventually("texts of "+model, func() bool { return sure[i].Load() >= certain || len(failures) > 0 })
		}
	}
	// Faster than a model can be loaded: the last choice counts.
	chosen.set(made+1, "")
	for range rounds {
		h.succeeds("models", "use", "house")
		h.succeeds("models", "use", "book")
	}
	serves("book")
	h.eventually("all files", func() bool {
		status, err := h.client().Status(t.Context())
		require.NoError(t, err)
		return status.Totals.Files >= files
	})
	close(over)
	group.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	byModel := map[string]int{}
	for n := range files {
		by, err := modelOf(h.read(fmt.Sprintf("in/translated/f%d.de.txt", n)), numbers(n)...)
		require.NoError(t, err, "file %d", n)
		byModel[by]++
	}
	t.Log("texts", sure[0].Load(), sure[1].Load(), "files", byModel)
	require.Empty(t, p.complaints())
	p.stop()
}
