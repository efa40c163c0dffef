package service

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/assets"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestUnits(t *testing.T) {
	for _, test := range []struct {
		golden     string
		scope      Scope
		executable string
		render     bool
	}{
		{"user.service", User, "/home/anna/bin/dragomand", false},
		{"system.service", System, "/opt/dragoman/dragomand", true},
		{"system-without-render.service", System, "/opt/dragoman/dragomand", false},
	} {
		t.Run(test.golden, func(t *testing.T) {
			text, err := unitText(test.scope, test.executable, test.render)
			require.NoError(t, err)
			golden := filepath.Join("testdata", test.golden)
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(text), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), text, "if that is meant: go test ./installer/service -run TestUnits -update")
		})
	}
}

func TestProgramsWithOddNames(t *testing.T) {
	for _, test := range []struct{ path, line string }{
		{"/opt/dragomand", `ExecStart="/opt/dragomand" run`},
		{"/home/an na/dragomand", `ExecStart="/home/an na/dragomand" run`},
		{`/o"d\d/100%/$HOME/dragomand`, `ExecStart="/o\"d\\d/100%%/$HOME/dragomand" run`},
		{"/übersetzer/dragomand", `ExecStart="/übersetzer/dragomand" run`},
	} {
		t.Run(test.path, func(t *testing.T) {
			text, err := unitText(User, test.path, false)
			require.NoError(t, err)
			require.Contains(t, strings.Split(text, "\n"), test.line)
			require.Equal(t, test.path, programOf(text))
		})
	}
	_, err := unitText(User, "/new\nline/dragomand", false)
	require.ErrorContains(t, err, "control character")
}

func TestProgramOfPackagedUnits(t *testing.T) {
	require.Equal(t, "/usr/bin/dragomand", programOf(assets.UserUnit))
	require.Equal(t, "/usr/bin/dragomand", programOf(assets.SystemUnit))
	require.Empty(t, programOf("[Unit]\n"))
}

// The installer replaces these lines; a unit without them would be installed
// as it is.
func TestUnitsHoldWhatIsReplaced(t *testing.T) {
	require.Equal(t, 1, strings.Count(assets.UserUnit, execLine))
	require.Equal(t, 1, strings.Count(assets.SystemUnit, execLine))
	require.Equal(t, 1, strings.Count(assets.SystemUnit, renderLine))
	for line := range strings.Lines(assets.SystemUnit) {
		if strings.HasPrefix(line, "Environment=") {
			require.Equal(t, 1, strings.Count(assets.SystemUnit, line), "said once: %s", line)
		}
	}
	require.NotContains(t, assets.UserUnit+assets.SystemUnit, "{{", "the braces of kardianos/service's templates")
}
