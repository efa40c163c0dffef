package ipc

import (
	"os"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

var pipes atomic.Int64

// testAddress returns a name of no user's, so that a daemon at work is left
// alone.
func testAddress(testing.TB) Address {
	return PipeOf("test-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(pipes.Add(1), 10))
}

func self(t testing.TB) string {
	t.Helper()
	sid, err := processUser()
	require.NoError(t, err)
	return sid.String()
}

func skipUnderWine(t testing.TB, because string) {
	t.Helper()
	if windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil {
		t.Skip("wine:", because)
	}
}

func TestThePipeIsNamedForItsUser(t *testing.T) {
	require.Equal(t, Address(`\\.\pipe\dragoman-`+self(t)), Default("unused"))
}

func TestDescriptorNamesOnlyThoseWhoMay(t *testing.T) {
	const one, other = "S-1-5-21-1-2-3-1001", "S-1-5-21-1-2-3-1002"
	for name, test := range map[string]struct {
		self, owner, want string
		entries           uint16
	}{
		"a user's own":            {one, one, "O:" + one + "D:P(A;;GRGW;;;S-1-5-18)(A;;GRGW;;;" + one + ")", 2},
		"a service for a user":    {systemSID, one, "O:S-1-5-18D:P(A;;GRGW;;;S-1-5-18)(A;;GRGW;;;" + one + ")", 2},
		"a service for itself":    {systemSID, systemSID, "O:S-1-5-18D:P(A;;GRGW;;;S-1-5-18)", 1},
		"one user for another":    {one, other, "O:" + one + "D:P(A;;GRGW;;;S-1-5-18)(A;;GRGW;;;" + one + ")(A;;GRGW;;;" + other + ")", 3},
		"a user for the services": {one, systemSID, "O:" + one + "D:P(A;;GRGW;;;S-1-5-18)(A;;GRGW;;;" + one + ")", 2},
	} {
		t.Run(name, func(t *testing.T) {
			got := descriptor(test.self, test.owner)
			require.Equal(t, test.want, got)
			sd, err := windows.SecurityDescriptorFromString(got)
			require.NoError(t, err)
			owner, _, err := sd.Owner()
			require.NoError(t, err)
			require.Equal(t, test.self, owner.String())
			list, _, err := sd.DACL()
			require.NoError(t, err)
			require.Equal(t, test.entries, list.AceCount)
		})
	}
}

func TestClientsTrustTheirUserAndTheSystem(t *testing.T) {
	const one, other = "S-1-5-21-1-2-3-1001", "S-1-5-21-1-2-3-1002"
	require.True(t, trusted(one, one))
	require.True(t, trusted(systemSID, one))
	require.False(t, trusted(other, one))
	require.False(t, trusted("S-1-5-32-544", one), "any administrator's")
}

func TestTheLivingPipeBelongsToUs(t *testing.T) {
	a := testAddress(t)
	serve(t, Options{Address: a})
	handle, err := handleOf(open(t, a))
	require.NoError(t, err)
	sd, err := windows.GetSecurityInfo(handle, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	require.NoError(t, err)
	owner, _, err := sd.Owner()
	require.NoError(t, err)
	require.Equal(t, self(t), owner.String())
	list, _, err := sd.DACL()
	require.NoError(t, err)
	require.Equal(t, uint16(2), list.AceCount, "we and SYSTEM")
}
