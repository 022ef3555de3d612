package output

import (
	"image/color"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/internal/draw"
)

// The pane is not a terminal, but supports what programs do within a line: a carriage return and a
// backspace move back, erasing in the line erases, and SGR sequences (ECMA-48, 8.3.117) set
// colors. Other escape sequences are shown as characters.

// run gives a number of bytes of a line one style.
type run struct {
	bytes int
	style draw.Style
}

// pen is the position and the style at which the program writes into the last line.
type pen struct {
	at    int        // the byte of the line that is written next
	style draw.Style // set by SGR sequences
	held  string     // an unfinished escape sequence
}

// mostHeld limits an unfinished escape sequence; all supported ones are shorter.
const mostHeld = 64

// write writes a text without a line end into a line.
func (p *pen) write(l *entry, text string) {
	text, p.held = p.held+text, ""
	for text != "" {
		n := strings.IndexAny(text, "\r\b\x1b")
		if n < 0 {
			n = len(text)
		}
		p.put(l, text[:n])
		if text = text[n:]; text == "" {
			return
		}
		switch text[0] {
		case '\r':
			p.at, text = 0, text[1:]
		case '\b':
			_, n := utf8.DecodeLastRuneInString(l.text[:p.at])
			p.at, text = p.at-n, text[1:]
		default:
			n, whole := sequence(text)
			if !whole && len(text) < mostHeld {
				p.held = text
				return
			}
			if !p.do(l, text[:n]) {
				p.put(l, text[:n])
			}
			text = text[n:]
		}
	}
}

// end ends the line. An unfinished escape sequence becomes text.
func (p *pen) end(l *entry) {
	if p.held != "" {
		p.put(l, p.held)
	}
	p.at, p.held = 0, ""
}

// put overwrites characters, and appends the rest.
func (p *pen) put(l *entry, text string) {
	if text == "" {
		return
	}
	end := p.at
	if end < len(l.text) {
		for range text {
			_, n := utf8.DecodeRuneInString(l.text[end:])
			end += n
		}
	}
	if p.style != (draw.Style{}) || l.runs != nil {
		if l.runs == nil {
			l.runs = []run{{bytes: len(l.text)}}
		}
		l.runs = spliced(l.runs, p.at, end, run{len(text), p.style})
	}
	l.text = l.text[:p.at] + text + l.text[end:]
	p.at += len(text)
}

// add appends a text in a style.
func (e *entry) add(text string, style draw.Style) {
	if text == "" {
		return
	}
	if e.runs == nil {
		e.runs = []run{{bytes: len(e.text)}}
	}
	e.runs = append(e.runs, run{len(text), style})
	e.text += text
}

// spliced returns runs with the bytes between from and to replaced by one run.
func spliced(runs []run, from, to int, with run) []run {
	var out []run
	add := func(r run) {
		if last := len(out) - 1; last >= 0 && out[last].style == r.style {
			out[last].bytes += r.bytes
		} else if r.bytes > 0 {
			out = append(out, r)
		}
	}
	at := 0
	for _, r := range runs {
		if n := min(r.bytes, from-at); n > 0 {
			add(run{n, r.style})
		}
		at += r.bytes
	}
	add(with)
	at = 0
	for _, r := range runs {
		if n := min(r.bytes, at+r.bytes-to); n > 0 {
			add(run{n, r.style})
		}
		at += r.bytes
	}
	return out
}

// sequence returns the number of bytes of the control sequence that begins a text; whole is
// false if its end has not come. It returns 1, the escape character alone, for any other text.
func sequence(text string) (n int, whole bool) {
	if len(text) == 1 {
		return 1, false
	}
	if text[1] != '[' {
		return 1, true
	}
	for n = 2; n < len(text); n++ {
		switch c := text[n]; {
		case c >= 0x40 && c <= 0x7e:
			return n + 1, true
		case c < 0x20 || c > 0x3f:
			return 1, true
		}
	}
	return 1, false
}

// do executes a control sequence; false if it is not supported.
func (p *pen) do(l *entry, text string) bool {
	if len(text) < 3 {
		return false
	}
	params := text[2 : len(text)-1]
	switch text[len(text)-1] {
	case 'm':
		style, ok := sgr(p.style, params)
		if ok {
			p.style = style
		}
		return ok
	case 'K':
		switch params {
		case "", "0":
		case "2":
			p.at = 0
		default:
			return false
		}
		if l.runs != nil {
			l.runs = spliced(l.runs, p.at, len(l.text), run{})
		}
		l.text = l.text[:p.at]
		return true
	}
	return false
}

// attributes maps SGR parameters to the attributes that they set; ends maps them to those that
// they end.
var (
	attributes = map[int]draw.Attr{1: draw.Bold, 2: draw.Faint, 3: draw.Italic, 4: draw.Underline, 7: draw.Reverse, 9: draw.Strike}
	ends       = map[int]draw.Attr{22: draw.Bold | draw.Faint, 23: draw.Italic, 24: draw.Underline, 27: draw.Reverse, 29: draw.Strike}
)

// sgr applies SGR parameters to a style; ok is false if they are malformed.
func sgr(s draw.Style, params string) (style draw.Style, ok bool) {
	var codes []int
	for field := range strings.SplitSeq(strings.ReplaceAll(params, ":", ";"), ";") {
		n, err := strconv.ParseUint(field, 10, 16)
		if err != nil && field != "" {
			return s, false
		}
		codes = append(codes, int(n))
	}
	for len(codes) > 0 {
		code := codes[0]
		codes = codes[1:]
		switch {
		case code == 0:
			s = draw.Style{}
		case code == 38 || code == 48:
			var c color.Color
			if c, codes = extended(codes); code == 38 {
				s.Fg = c
			} else {
				s.Bg = c
			}
		case code == 39:
			s.Fg = nil
		case code == 49:
			s.Bg = nil
		case code >= 30 && code <= 37:
			s.Fg = ansi.BasicColor(code - 30)
		case code >= 40 && code <= 47:
			s.Bg = ansi.BasicColor(code - 40)
		case code >= 90 && code <= 97:
			s.Fg = ansi.BasicColor(code - 90 + 8)
		case code >= 100 && code <= 107:
			s.Bg = ansi.BasicColor(code - 100 + 8)
		default: // other attributes, such as blinking, are ignored
			s.Attr = s.Attr&^ends[code] | attributes[code]
		}
	}
	return s, true
}

// extended reads the color after a parameter 38 or 48, nil for none, and returns the rest of
// the parameters.
func extended(codes []int) (color.Color, []int) {
	switch {
	case len(codes) >= 2 && codes[0] == 5:
		return ansi.IndexedColor(uint8(codes[1])), codes[2:]
	case len(codes) >= 4 && codes[0] == 2:
		return color.RGBA{uint8(codes[1]), uint8(codes[2]), uint8(codes[3]), 0xff}, codes[4:]
	}
	return nil, nil
}

// spans returns the part of a line that a row shows, beginning at a byte, drawn over a style.
// shown converts a style of the program's to what the terminal can show.
func (e *entry) spans(row string, from int, over draw.Style, shown func(draw.Style) draw.Style) []draw.Span {
	var spans []draw.Span
	at := 0
	for _, r := range e.runs {
		begin, end := max(at-from, 0), min(at+r.bytes-from, len(row))
		if begin < end {
			spans = append(spans, draw.Span{Text: row[begin:end], Style: shown(r.style).Over(over)})
		}
		at += r.bytes
	}
	if begin := max(at-from, 0); begin < len(row) { // an ellipsis for the rest of the line
		spans = append(spans, draw.Span{Text: row[begin:], Style: over})
	}
	return spans
}
