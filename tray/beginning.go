package tray

// Beginning returns the first limit grapheme clusters of a text as one line
// that is safe to show beside other text, with an ellipsis where something was
// left out.
func Beginning(text string, limit int) string { return short(text, limit) }
