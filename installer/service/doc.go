// Package service puts the daemon under the care of the operating system's
// service manager, controls it there, and runs it as the manager expects.
//
// It owns the service's name, the way the units of package assets are filled in
// and all calls of github.com/kardianos/service; notify below it talks to
// systemd while the daemon runs. It must not import the daemon: the daemon is a
// Program here, and the command wires the two.
//
// # Linux
//
// systemd only, as a unit of the user (default) or of the system. Nothing is
// copied: the unit names the dragomand that lies beside the running program.
//
// # Windows
//
// A Windows service belongs to the machine, so it runs as LocalSystem, the most
// powerful account. It serves the user who installed it, whose folders and
// security identifier stand on its command line. Three things follow:
//
//   - Whoever can replace dragomand.exe or the OpenVINO runtime in that user's
//     data folder gets LocalSystem's rights. Keep the programs in a folder that
//     only administrators can write to (Program Files), and install the service
//     only for a user who is an administrator of the machine anyway. Install
//     warns where the program lies in the user's profile.
//   - That user may start and stop it without being an administrator, and
//     change nothing of it.
//   - The daemon writes translations with LocalSystem's rights where that user
//     tells it to. A drop folder is followed wherever a link in it leads only
//     as far as the daemon allows; the daemon must never leave its root.
package service
