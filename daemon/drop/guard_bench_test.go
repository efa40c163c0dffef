package drop

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dragoman/daemon/api"
)

// BenchmarkGuard measures what is looked at before each output, with as many
// drop folders as there are.
func BenchmarkGuard(b *testing.B) {
	for _, folders := range []int{1, 5} {
		b.Run(fmt.Sprintf("folders=%d", folders), func(b *testing.B) {
			dir := b.TempDir()
			m := New(Options{})
			for id := range int64(folders) {
				root := filepath.Join(dir, fmt.Sprint("drop folder ", id))
				if err := os.MkdirAll(filepath.Join(root, "translated", "sub"), 0o755); err != nil {
					b.Fatal(err)
				}
				if err := m.Add(id, api.FolderSettings{Path: root, From: "en", To: []string{"es"}, Recursive: true}); err != nil {
					b.Fatal(err)
				}
			}
			d := newDropFolder(m.opts, m.folders[0].plan)
			d.others = m.plans
			d.within = placeWithin(d.root, d.base)
			for b.Loop() {
				if err := d.lock(); err != nil {
					b.Fatal(err)
				}
				if _, err := d.refuseOutput(filepath.Join(d.base, "sub", "a.es.txt")); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
