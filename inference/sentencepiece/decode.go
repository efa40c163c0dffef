package sentencepiece

import "strings"

// Decode joins pieces into text: U+2581 becomes a space, the one before the
// text is taken away, control pieces vanish, the unknown piece becomes the
// model's sign for it, and text that is no piece stays as it is.
func (m *Model) Decode(pieces []string) string {
	var out strings.Builder
	atStart := true
	for _, piece := range pieces {
		if out.Len() > 0 {
			atStart = false
		}
		id, ok := m.Lookup(piece)
		switch {
		case !ok:
			out.WriteString(piece)
			continue
		case id == m.unknown:
			out.WriteString(m.unknownSurface)
			continue
		case m.pieces[id].kind == kindControl:
			continue
		}
		if atStart && (m.normalizer.dummyPrefix || m.normalizer.removeExtra) {
			if rest, found := strings.CutPrefix(piece, spaceMark); found {
				piece = rest
				// Where extra spaces are removed, every leading one goes;
				// else only the dummy prefix.
				atStart = m.normalizer.removeExtra
			}
		}
		out.WriteString(strings.ReplaceAll(piece, spaceMark, " "))
	}
	if m.denormalizer != nil {
		return m.denormalizer.normalize(out.String())
	}
	return out.String()
}
