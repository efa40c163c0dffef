package notify

import "context"

// About knows what Windows can do.
func About(context.Context) (Service, error) {
	return Service{Name: "Windows", Able: []string{"actions", "body"}}, nil
}
