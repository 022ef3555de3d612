package cwm

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

// maxTried limits how many bytes of an incomplete frame are parsed to detect errors early: the
// frame is parsed again whenever more text arrives.
const maxTried = 4 << 10

// Decoder parses frames while a model writes them.
type Decoder struct {
	r     reader
	count int
	ended bool
}

// Decode returns a decoder for the text that a model writes after the trace so far. If forced is
// true, the prompt ends with ForcedReturn, and the model continues after it. lines are the source
// lines that frames may contain.
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

// Feed parses more text, and returns the frames that are now complete. ended reports the end of the
// trace, which may come while functions are still running, as after os._exit. The error is a
// *dsl.DecodeError; its offset is counted from the beginning of the text passed to Feed.
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
				break // its first maxTried bytes were parsed before
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

// Unread returns the fed text after the last complete frame.
func (d *Decoder) Unread() string { return d.r.rest }

// Count returns the number of complete frames so far.
func (d *Decoder) Count() int { return d.count }

// next reads a frame. The text may end in the middle of a character.
func (r *reader) next() (Frame, error) {
	if text, _, whole := strings.Cut(r.rest, frameSep); whole && !utf8.ValidString(text) {
		return Frame{}, r.fault(dsl.Malformed, "this is not UTF-8")
	}
	if strings.HasPrefix(endOfText, r.rest) {
		return Frame{}, r.wants(endOfText)
	}
	return r.frame(false)
}
