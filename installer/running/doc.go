// Package running ends the programs of an installation before their files are
// replaced or removed, which Windows does not allow while they run.
//
// It owns how such processes are found: by the folder that their programs lie
// in. It must not import anything of ours.
package running
