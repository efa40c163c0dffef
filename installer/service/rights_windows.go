package service

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows"
)

// ownerRights are what the user of a service may do with it besides all users'
// rights to look at it: start and stop it. They must not hold
// SERVICE_CHANGE_CONFIG, WRITE_DAC or WRITE_OWNER, which would let that user
// run any program with all rights of the machine.
const ownerRights = windows.SERVICE_QUERY_CONFIG | windows.SERVICE_QUERY_STATUS | windows.SERVICE_INTERROGATE |
	windows.SERVICE_START | windows.SERVICE_STOP | windows.READ_CONTROL

var errNoList = errors.New("its security descriptor has no access list to add to")

// allow lets the user whom the service serves start and stop it without being
// asked for an administrator, as the tray and `dragoman service start` do. By
// default Windows lets only administrators do so.
func allow(owner string) error {
	user, err := windows.StringToSid(owner)
	if err != nil {
		return fmt.Errorf("read the security identifier %s: %w", owner, err)
	}
	now, err := windows.GetNamedSecurityInfo(Name, windows.SE_SERVICE, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("read who may control the service: %w", err)
	}
	list, err := withOwner(now, user)
	if err != nil {
		return fmt.Errorf("add to who may control the service: %w", err)
	}
	if err := windows.SetNamedSecurityInfo(Name, windows.SE_SERVICE, windows.DACL_SECURITY_INFORMATION, nil, nil, list, nil); err != nil {
		return fmt.Errorf("set who may control the service: %w", err)
	}
	return nil
}

// withOwner is the access list of a service and what its user may do. Where
// there is none, everybody may do everything: a list with the user alone would
// take the rights from Windows itself.
func withOwner(now *windows.SECURITY_DESCRIPTOR, user *windows.SID) (*windows.ACL, error) {
	list, _, err := now.DACL()
	if errors.Is(err, windows.ERROR_OBJECT_NOT_FOUND) || err == nil && list == nil {
		return nil, errNoList
	}
	if err != nil {
		return nil, err
	}
	return windows.ACLFromEntries([]windows.EXPLICIT_ACCESS{{
		AccessPermissions: ownerRights,
		AccessMode:        windows.GRANT_ACCESS,
		Trustee: windows.TRUSTEE{
			TrusteeForm: windows.TRUSTEE_IS_SID, TrusteeType: windows.TRUSTEE_IS_USER,
			TrusteeValue: windows.TrusteeValueFromSID(user),
		},
	}}, list)
}
