// Package daemon is the service: it keeps a model warm, takes texts from
// clients and files from drop folders, and shows what it is doing.
//
// It puts its sub-packages together: queue orders the work, drop watches the
// folders, store keeps what must last, ipc and api talk to clients. Data flows
// one way, from a source through the queue and the model to the ledger, the
// output and the snapshot. It has no display and no clipboard, and must not
// import tray, watch/clip or installer.
package daemon
