package notify

// Service is what shows notifications.
type Service struct {
	Name, Version string
	Able          []string // capabilities as the Desktop Notifications Specification names them
}
