package cwm

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

// maxTried bounds how much of a frame that is not whole yet is read, in bytes: to see early
// that it is none, which would else be tried of all each time that more of it comes.
const maxTried = 4 << 10

// Decoder reads frames as a model writes them, one after the other.
type Decoder struct {
	r     reader
	count int
	ended bool
}

// Decode reads what a model writes after the trace so far; where the event of its first
// frame was forced, after that. lines are those of the program that frames can be at.
func (w *Writer) Decode(lines []string, forced bool) *Decoder {
	d := &Decoder{r: reader{lines: make(map[string]bool, len(lines)), scopes: slices.Clone(w.scopes)}}
	for _, line := range lines {
		d.r.lines[line] = true
	}
	if forced {
		d.r.rest, d.r.length, d.r.given = ForcedReturn, len(ForcedReturn), len(ForcedReturn)
	}
	return d
}

// Feed takes more of the text, and gives the frames that are whole with it. ended says that
// the trace ends, which it may do within functions, as by os._exit. The error is a
// *dsl.DecodeError; its offset counts from the beginning of what was fed.
func (d *Decoder) Feed(text string) (frames []Frame, ended bool, err error) {
	r := &d.r
	r.length += len(text)
	r.rest += text
	for !d.ended && r.rest != "" {
		if strings.HasPrefix(r.rest, endOfText) {
			r.rest, d.ended = r.rest[len(endOfText):], true
			break
		}
		try := *r
		if more := len(r.rest) - maxTried; more > 0 && !strings.Contains(r.rest, frameSep) {
			if more >= len(text) {
				break // what may be read of it was
			}
			try.rest, try.length = r.rest[:maxTried], r.length-more
		}
		try.scopes = slices.Clone(r.scopes)
		f, err := try.next()
		var fault *dsl.DecodeError
		switch {
		case err == nil:
		case errors.As(err, &fault) && fault.Kind == dsl.Truncated:
			return frames, false, nil
		default:
			return frames, false, err
		}
		*r = try
		frames = append(frames, f)
		d.count++
	}
	return frames, d.ended, nil
}

// Unread returns what was fed and belongs to no frame yet.
func (d *Decoder) Unread() string { return d.r.rest }

// Count returns how many frames there were.
func (d *Decoder) Count() int { return d.count }

// next reads a frame; the text may end within a character.
func (r *reader) next() (Frame, error) {
	if text, _, whole := strings.Cut(r.rest, frameSep); whole && !utf8.ValidString(text) {
		return Frame{}, r.fault(dsl.Malformed, "this is not UTF-8")
	}
	if strings.HasPrefix(endOfText, r.rest) {
		return Frame{}, r.wants(endOfText)
	}
	return r.frame(false)
}
