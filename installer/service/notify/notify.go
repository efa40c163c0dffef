// Package notify tells systemd how the daemon is doing (sd_notify(3)).
//
// Every function does nothing where no manager listens, which is the case on
// Windows, in a terminal and in most containers. The package owns the protocol
// and must not import anything of ours.
package notify

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Ready says that start or reload is complete.
func Ready() { send(daemon.SdNotifyReady) }

// Status is one line about what is going on, for `systemctl status`. It must
// hold no text of users, because every user of the machine can read it.
func Status(text string) {
	send("STATUS=" + strings.Join(strings.Fields(text), " "))
}

// Reloading says that the settings are being read anew, until done is called.
func Reloading() (done func()) {
	send(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec())
	return Ready
}

// Stopping says that the daemon is about to end.
func Stopping() { send(daemon.SdNotifyStopping) }

// Watchdog keeps the manager from ending the process for as long as alive
// returns nil, until ctx ends. alive is called at half of the manager's
// interval and has a quarter of the interval to answer; it should ask what
// would not answer if the daemon hung. Watchdog returns at once where the
// manager does not ask for signs of life.
func Watchdog(ctx context.Context, alive func(context.Context) error) error {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		return fmt.Errorf("read the interval of the service manager's watchdog: %w", err)
	}
	if interval > 0 {
		pet(ctx, interval, alive, func() { send(daemon.SdNotifyWatchdog) })
	}
	return nil
}

func pet(ctx context.Context, interval time.Duration, alive func(context.Context) error, ping func()) {
	ticker := time.NewTicker(interval / 2)
	defer ticker.Stop()
	for {
		check, cancel := context.WithTimeout(ctx, interval/4)
		err := alive(check)
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			slog.WarnContext(ctx, "no sign of life for the service manager, which will restart the daemon if this goes on", "err", err)
		default:
			ping()
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func send(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		slog.Warn("the service manager could not be told the daemon's state", "err", err)
	}
}
