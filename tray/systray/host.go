package systray

// Host is what is known of the desktop's place for icons.
type Host struct {
	Shows bool // whether icons are shown
}
