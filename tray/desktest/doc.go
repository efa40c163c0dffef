// Package desktest gives tests a desktop of their own, which nobody sees: a
// session bus, a notification service, a panel and a display. Each speaks the
// real protocol. What a test cannot have here skips it, and fails it in CI.
//
// It is for test code only and imports nothing of ours.
package desktest
