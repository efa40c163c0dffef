//go:build unix

package power

// ThisMachine is the one that this process runs on.
func ThisMachine() Machine { return Sysfs("/sys") }
