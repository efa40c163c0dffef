package systray

import "context"

// FollowHost reports that icons are shown, which Windows always does, and
// returns when ctx ends.
func FollowHost(ctx context.Context, report func(Host)) error {
	report(Host{Shows: true})
	<-ctx.Done()
	return nil
}
