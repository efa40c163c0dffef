package logs

import (
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// journalLine has systemd's priority before each line (sd-daemon(3)) and no
// time, which the journal knows.
func journalLine(_ time.Time, level slog.Level, message string) string {
	var b strings.Builder
	for line := range strings.Lines(message) {
		fmt.Fprintf(&b, "<%d>%s\n", priority(level), strings.TrimRight(line, "\n"))
	}
	return b.String()
}

// priority as syslog(3) numbers it.
func priority(level slog.Level) int {
	switch {
	case level >= slog.LevelError:
		return 3
	case level >= slog.LevelWarn:
		return 4
	case level >= slog.LevelInfo:
		return 6
	}
	return 7
}

func terminalLine(at time.Time, level slog.Level, message string) string {
	return fmt.Sprintf("%s %-5s %s\n", at.Local().Format(time.TimeOnly), level, message)
}

func fileLine(at time.Time, level slog.Level, message string) string {
	return fmt.Sprintf("%s %-5s %s\n", at.Format("2006-01-02T15:04:05.000Z07:00"), level, message)
}

// eventLine begins with the level, which openEvents' writer takes off again.
func eventLine(_ time.Time, level slog.Level, message string) string {
	return fmt.Sprintf("%d%s", priority(level), message)
}
