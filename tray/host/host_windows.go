package host

import "context"

// Follow reports that icons are shown, which Windows always does, and returns
// when ctx ends.
func Follow(ctx context.Context, report func(shows bool)) error {
	report(true)
	<-ctx.Done()
	return nil
}

// Shows is true: Windows always shows icons.
func Shows(context.Context) (bool, error) { return true, nil }
