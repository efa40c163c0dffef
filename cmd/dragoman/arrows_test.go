package main

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

const module = "dragoman/"

// mayImport says, for each folder below the module, which other packages of
// ours its packages may import besides their own. The longest folder that fits
// counts. What is not listed must be given a place here first.
var mayImport = map[string][]string{
	"cmd":       {""}, // wiring: everything
	"daemon":    {"watch", "inference"},
	"inference": nil,
	"watch":     nil, // sources know nothing of what becomes of their items
	// The tray reads and changes the settings itself: the service may be another user's.
	"tray": {"daemon/api", "daemon/config", "assets", "watch/clip"},
	// The installer shares the rules by which a runtime is found, which touch
	// nothing native.
	"installer": {"daemon/config", "assets", "inference/openvino/locate"},
	"assets":    nil,
	"internal":  nil, // for test code of every package, besides everywhere
	// Settings are read by every program, the installer among them.
	"daemon/config": nil,
	// Wire types are shared with clients, which must not carry the model.
	"daemon/api": nil,
	"daemon/ipc": nil,
	// The queue knows neither the model nor what its tasks do.
	"daemon/queue": nil,
}

// everywhere are packages of ours that all others may import.
var everywhere = []string{"internal/english"}

// reaches forbids what a chain of imports could bring in.
var reaches = []struct{ from, never, because string }{
	{"installer", module + "inference/m2m100", "an installer needs no model"},
	{"installer", "github.com/ebitengine/purego", "an installer must run without the runtime that it installs"},
	{"inference/openvino/locate", "github.com/ebitengine/purego", "a runtime is found without loading anything"},
	{"daemon/config", "github.com/ebitengine/purego", "reading the settings must load nothing"},
	{"watch", module + "inference", "sources must be testable without a model"},
	{"daemon", module + "tray", "a service has no display"},
	{"daemon", module + "watch/clip", "a service has no clipboard"},
	{"cmd/dragomand", module + "tray", "a service has no display"},
	{"cmd/dragomand", module + "watch/clip", "a service has no clipboard"},
	{"cmd/dragoman-tray", module + "inference", "the tray is a client of the daemon and stays small"},
}

// What does not exist yet has its place in these tables already.

// home says which of our folders may import a third-party package, so that it
// can be replaced in one place. The longest path that fits counts.
var home = map[string][]string{
	"github.com/ebitengine/purego":     {"inference/openvino"}, // the only package that touches the native runtime
	"github.com/fsnotify/fsnotify":     {"watch/folder", "daemon/connect"},
	"github.com/pelletier/go-toml":     {"daemon/config"},
	"github.com/rivo/uniseg":           {"inference/text", "tray"},
	"github.com/abadojack/whatlanggo":  {"inference/language", "watch/document/charset"},
	"google.golang.org/protobuf":       {"inference/sentencepiece", "daemon/telemetry"},
	"github.com/prometheus":            {"daemon/telemetry"},
	"go.opentelemetry.io":              {"daemon/telemetry"},
	"github.com/zeebo/xxh3":            {"inference/checksum"},
	"gonum.org/v1/gonum":               {"inference/m2m100/rounding"},
	"github.com/edsrzf/mmap-go":        {"inference"},
	"github.com/spf13":                 {"cmd"},
	"github.com/schollz":               {"cmd"},
	"golang.org/x/term":                {"cmd"},
	"github.com/stretchr/testify":      {"inference/openvino/ovtest", "tray/desktest", "watch/document/segment/segmenttest"}, // for test code only
	"github.com/kardianos/service":     {"installer"},
	"github.com/coreos/go-systemd":     {"installer/service/notify"},
	"gopkg.in/natefinch/lumberjack.v2": {"daemon/logs"},
	"fyne.io/systray":                  {"tray/systray"},
	"github.com/godbus/dbus":           {"tray"},
	"github.com/nicksnyder/go-i18n":    {"tray/message"},
	"git.sr.ht/~jackmordaunt/go-toast": {"tray/notify"},
	"golang.design/x/clipboard":        {"watch/clip"},
	"github.com/jezek/xgb":             {"watch/clip"},
	"modernc.org/sqlite":               {"daemon/store"},
	"github.com/wlynxg/chardet":        {"watch/document/charset"},
	"github.com/yuin/goldmark":         {"watch/document/markdown"},
	"github.com/Microsoft/go-winio":    {"daemon/ipc"},
	"github.com/getkin/kin-openapi":    {"daemon/api"}, // for test code only
	// Locks between processes and what the Go project keeps beside the standard
	// library are needed in several places and have no rival.
	"github.com/gofrs/flock": {""},
	"golang.org/x":           {""},
}

// goPackage is what `go list` says of a package, without its tests.
type goPackage struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
	Module     *struct{ Main bool }
}

func (p goPackage) ours() bool { return p.Module != nil && p.Module.Main }

// folder of one of our packages, below the module.
func (p goPackage) folder() string { return strings.TrimPrefix(p.ImportPath, module) }

func TestArrowsPointOneWay(t *testing.T) {
	for _, system := range []string{"linux", "windows"} {
		t.Run(system, func(t *testing.T) {
			packages := listPackages(t, system)
			for _, p := range packages {
				if p.ours() {
					checkArrows(t, p, packages)
				}
			}
		})
	}
}

func checkArrows(t *testing.T, p goPackage, all map[string]goPackage) {
	rule, found := longest(mayImport, p.folder())
	if !found {
		t.Errorf("%s: its folder is not in mayImport", p.ImportPath)
		return
	}
	for _, imported := range p.Imports {
		switch q := all[imported]; {
		case q.Standard:
		case q.ours():
			if !below(q.folder(), rule) && !below(q.folder(), mayImport[rule]...) && !below(q.folder(), everywhere...) {
				t.Errorf("%s must not import %s: %s may import %q", p.ImportPath, imported, rule, mayImport[rule])
			}
		default:
			library, found := longest(home, imported)
			if !found {
				t.Errorf("%s imports %s, which has no home yet: choose one in this table", p.ImportPath, imported)
			} else if !below(p.folder(), home[library]...) {
				t.Errorf("%s must not import %s: its home is %q", p.ImportPath, imported, home[library])
			}
		}
	}
	for _, ban := range reaches {
		if !below(p.folder(), ban.from) {
			continue
		}
		for _, dep := range p.Deps {
			if dep == ban.never || strings.HasPrefix(dep, ban.never+"/") && dep != module+"inference/openvino/locate" {
				t.Errorf("%s must not lead to %s: %s", p.ImportPath, dep, ban.because)
			}
		}
	}
}

// below says whether path is one of folders or in one; "" holds everything.
func below(path string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		return folder == "" || path == folder || strings.HasPrefix(path, folder+"/")
	})
}

// longest returns the longest key that path is below.
func longest[V any](table map[string]V, path string) (key string, found bool) {
	for k := range table {
		if below(path, k) && (!found || len(k) > len(key)) {
			key, found = k, true
		}
	}
	return key, found
}

// listPackages returns our packages and all that they lead to, by import path.
// What developers build below build/ is no part of the program.
func listPackages(t *testing.T, system string) map[string]goPackage {
	t.Helper()
	patterns := []string{"list", "-deps", "-json=ImportPath,Standard,Imports,Deps,Module"}
	entries, err := os.ReadDir(ovtest.Root())
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() && e.Name() != "build" && e.Name()[0] != '.' && hasGo(t, e.Name()) {
			patterns = append(patterns, "./"+e.Name()+"/...")
		}
	}
	cmd := exec.Command("go", patterns...)
	cmd.Dir = ovtest.Root()
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	packages := map[string]goPackage{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		packages[p.ImportPath] = p
	}
	require.Contains(t, packages, module+"cmd/dragoman")
	require.Contains(t, packages, module+"inference/openvino")
	return packages
}

func hasGo(t *testing.T, folder string) bool {
	t.Helper()
	found := false
	require.NoError(t, fs.WalkDir(os.DirFS(ovtest.Root()), folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") {
			found = true
			return fs.SkipAll
		}
		return err
	}))
	return found
}
