package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// What the service refuses has the exit code of the same mistake without it.
func TestExitCodesOfTheServicesProblems(t *testing.T) {
	for code, want := range map[api.Code]int{
		api.CodeBadRequest: exitUsage,
		api.CodeLanguage:   exitUsage,
		api.CodeNotFound:   exitInput,
		api.CodeTooLarge:   exitInput,
		api.CodeForeign:    exitInput,
		api.CodeUnknown:    exitSetup, // the service is older than this program
		api.CodeNoModel:    exitSetup,
		api.CodeCancelled:  exitInterrupted,
		api.CodeForbidden:  exitFailed,
		api.CodeConflict:   exitFailed,
		api.CodeBusy:       exitFailed,
		api.CodeTimeout:    exitFailed,
		api.CodeFailed:     exitFailed,
		api.CodeInternal:   exitFailed,
	} {
		require.Equal(t, want, exitCode(fmt.Errorf("translate: %w", &api.Problem{Code: code})), code)
	}
}
