package device

import "context"

func surveyWindows(ctx context.Context, r Roots, m *Machine) {}
