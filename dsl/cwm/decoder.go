package cwm

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

// maxTried limits, in bytes, how much of an incomplete frame is parsed to detect errors early,
// since it is parsed again each time that more arrives.
const maxTried = 4 << 10

// Decoder parses frames while a model writes them.
type Decoder struct {
	r     reader
	count int
	ended bool
}

// Decode returns a decoder for what a model writes after the trace so far. If forced is set, the
// event of the first frame is already written, and the model continues after it. lines are the
// program's lines at which frames can be.
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

// Feed parses more text, and returns the frames that it completes. ended reports the end of the
// trace, which may come within functions, as by os._exit. The error is a *dsl.DecodeError; its
// offset counts from the beginning of what was fed.
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

// Unread returns the text that belongs to no frame yet.
func (d *Decoder) Unread() string { return d.r.rest }

// Count returns the number of frames so far.
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
