package instance

// otherOwner is "": the folders are in a user's profile, which is closed to
// others.
func otherOwner(string) string { return "" }

func self() string { return "" }
