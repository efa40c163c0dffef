package device

import "context"

func surveyLinux(ctx context.Context, r Roots, m *Machine) {}
