// Package agent is what dragoman does in a desktop session: it turns copies and
// clicks into requests to the service, and the service's news and answers into
// views of the tray and notifications.
//
// One goroutine owns everything (Agent.Run). What takes time runs beside it and
// hands back a function that is run there. The package must not import what
// translates; texts of users appear in no log.
package agent
