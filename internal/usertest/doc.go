// Package usertest lets tests be bound by permissions where they run as root, as
// in a container. It is for test code only and imports nothing of ours.
package usertest
