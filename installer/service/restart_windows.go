package service

// Restart says, for people, with which command this process is restarted; "" where
// it runs in the foreground.
func Restart(o RunOptions) string {
	if Interactive() && !o.ServeSCM {
		return ""
	}
	return "`dragoman service restart`"
}
