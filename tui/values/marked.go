package values

import (
	"unicode/utf8"

	"github.com/npdb/npdb/internal/draw"
)

// Marked returns one of the two texts that Diff compared, the old one or the new one, with the
// differences in the style mark. It drops the beginning of a text that is longer than room up to
// shortly before the first difference.
func Marked(pieces []Piece, old bool, style, mark draw.Style, room int, m draw.Measure) []draw.Span {
	long := 16 * max(room, 1) // bytes that fill the room in any case
	var spans []draw.Span
	used := 0
	for _, piece := range pieces {
		if used > long {
			break
		}
		shown := piece.Text
		switch {
		case piece.Kind == Removed && !old, piece.Kind == Added && old:
			continue
		case piece.Kind == Same:
			if used == 0 && (len(shown) > long || m.Width(shown) > room/2) {
				at := len(shown)
				for range room / 3 {
					_, size := utf8.DecodeLastRuneInString(shown[:at])
					at -= size
				}
				shown = "…" + shown[at:]
			}
			spans = append(spans, draw.Span{Text: shown, Style: style})
		case piece.Kind == Changed && old:
			shown = piece.Old
			fallthrough
		default:
			spans = append(spans, draw.Span{Text: shown, Style: mark})
		}
		used += len(shown)
	}
	return spans
}
