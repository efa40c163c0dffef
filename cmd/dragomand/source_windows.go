package main

import "dragoman/installer/service"

// eventSource is what the event log knows this service by, "" unless this is a
// Windows service.
func (r *runCommand) eventSource() string {
	if service.Interactive() && !r.serveSCM {
		return ""
	}
	return service.Name
}
