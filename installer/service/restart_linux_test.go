package service

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRestartOfWhatRunsInAUnit(t *testing.T) {
	for groups, want := range map[string]string{
		"0::/system.slice/dragoman.service\n":                                              "`dragoman service restart --system`",
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/dragoman.service\n":    "`dragoman service restart`",
		"12:pids:/user.slice/user-0.slice/user@0.service/dragoman.service\n0::/\n":         "`dragoman service restart`",
		"0::/user.slice/user-1000.slice/session-2.scope\n":                                 "",
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/my-dragoman.service\n": "",
		"0::/system.slice/dragoman.service/child.scope\n":                                  "",
		"0::/\n": "",
		"":       "",
	} {
		require.Equal(t, want, restartOf(groups), groups)
	}
}
