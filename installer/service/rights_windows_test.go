package service

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

// usual is the access list that Windows gives a new service: SYSTEM and
// administrators control it, who is logged in looks at it.
const usual = "D:(A;;CCLCSWRPWPDTLOCRRC;;;SY)(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;BA)(A;;CCLCSWLOCRRC;;;IU)"

func TestOwnerMayStartAndStop(t *testing.T) {
	const owner = "S-1-5-21-1-2-3-1001"
	user, err := windows.StringToSid(owner)
	require.NoError(t, err)
	now, err := windows.SecurityDescriptorFromString(usual)
	require.NoError(t, err)
	list, err := withOwner(now, user)
	require.NoError(t, err)
	next, err := windows.NewSecurityDescriptor()
	require.NoError(t, err)
	require.NoError(t, next.SetDACL(list, true, false))
	text := next.String()
	for _, entry := range []string{
		"(A;;CCLCRPWPLORC;;;" + owner + ")", // no DC, WD, WO
		"(A;;CCLCSWRPWPDTLOCRRC;;;SY)", "(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;BA)", "(A;;CCLCSWLOCRRC;;;IU)",
	} {
		require.Contains(t, text, entry)
	}
}

func TestServiceWithoutAnAccessListStaysOpenToWindows(t *testing.T) {
	user, err := windows.StringToSid("S-1-5-21-1-2-3-1001")
	require.NoError(t, err)
	for name, make := range map[string]func(*windows.SECURITY_DESCRIPTOR) error{
		"no list":    func(*windows.SECURITY_DESCRIPTOR) error { return nil },
		"empty list": func(d *windows.SECURITY_DESCRIPTOR) error { return d.SetDACL(nil, true, false) },
	} {
		t.Run(name, func(t *testing.T) {
			now, err := windows.NewSecurityDescriptor()
			require.NoError(t, err)
			require.NoError(t, make(now))
			_, err = withOwner(now, user)
			require.ErrorIs(t, err, errNoList)
		})
	}
}
