package segment

import "errors"

// ErrAnew is what a Func returns to be asked for everything once more.
var ErrAnew = errors.New("the texts are to be translated anew")

// OneModel sees to it that one model translates all texts of a document, though
// another may take its place in the middle: wordings of two do not go together.
type OneModel struct {
	Name string // of the model that all texts until now are of, "" before the first
}

// Check takes the model that has translated a text, "" where that is not known. It
// returns ErrAnew, and forgets what was before, where that is another one.
func (m *OneModel) Check(model string) error {
	if m.Name != "" && model != m.Name {
		m.Name = ""
		return ErrAnew
	}
	m.Name = model
	return nil
}
