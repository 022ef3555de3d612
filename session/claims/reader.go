package claims

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Part is a part of an explanation: text, or a claim.
type Part struct {
	Text  string
	Claim *Claim // nil for text
}

// mostCode limits the length of code in backquotes, in bytes. Longer code is text, because npdb shows a model
// only shorter values.
const mostCode = 4 << 10

// mostDigits limits the digits of an event's number.
const mostDigits = 9

// Reader splits an explanation into parts while the explanation streams. The zero Reader is ready for use.
type Reader struct {
	held    string // text that is not complete before the next piece
	before  rune   // the last character before held
	fence   string // the backquotes that end the current block of code, "" outside of blocks
	begun   bool   // text other than white space was read
	thought bool   // inside the model's reasoning, which is skipped
}

const (
	thinks   = "<think>"
	thinksTo = "</think>"
)

// Feed reads the next piece and returns the parts that are complete. A claim is complete when the text after
// it has begun.
func (r *Reader) Feed(piece string) []Part {
	r.held += piece
	return r.read(false)
}

// End returns the remaining parts. It returns an incomplete claim as text.
func (r *Reader) End() []Part { return r.read(true) }

func (r *Reader) read(end bool) (parts []Part) {
	for r.held != "" {
		n, claim := r.next(end)
		if n == 0 {
			break
		}
		text := r.held[:n]
		r.held = r.held[n:]
		if r.thought {
			r.thought = text != thinksTo
			r.begun = r.thought
			continue
		}
		if r.begun = r.begun || strings.TrimSpace(text) != ""; !r.begun {
			continue // spaces before the text
		}
		if text == thinks {
			r.thought = true
			continue
		}
		r.before, _ = utf8.DecodeLastRuneInString(text)
		last := len(parts) - 1
		switch {
		case claim != nil:
			parts = append(parts, Part{claim.Text, claim})
		case last >= 0 && parts[last].Claim == nil:
			parts[last].Text += text
		default:
			parts = append(parts, Part{Text: text})
		}
	}
	return parts
}

// next returns the length of the next token in held, and its claim, if it is one. It returns 0 if the token may
// continue in the next piece. If end is set, no piece follows.
func (r *Reader) next(end bool) (n int, claim *Claim) {
	if r.thought {
		return r.upTo(thinksTo, end), nil
	}
	if !r.begun {
		trimmed := strings.TrimLeftFunc(r.held, unicode.IsSpace)
		if spaces := len(r.held) - len(trimmed); spaces > 0 {
			return spaces, nil
		}
		if strings.HasPrefix(trimmed, thinks) {
			return len(thinks), nil
		}
		if strings.HasPrefix(thinks, trimmed) && !end {
			return 0, nil
		}
	}
	if r.fence != "" {
		n := r.upTo(r.fence, end)
		if r.held[:n] == r.fence {
			r.fence = ""
		}
		return n, nil
	}
	switch at := strings.IndexAny(r.held, "`#"); {
	case at < 0:
		return len(r.held), nil
	case at > 0:
		return at, nil
	case r.held[0] == '#':
		return r.number(end)
	}
	return r.code(end)
}

// upTo returns the length of the text in held before a word, or the length of the word if held begins with it. Unless
// end is set, it does not count an end of held that may be the beginning of the word.
func (r *Reader) upTo(word string, end bool) int {
	switch at := strings.Index(r.held, word); {
	case at == 0:
		return len(word)
	case at > 0:
		return at
	case end:
		return len(r.held)
	}
	for k := min(len(word)-1, len(r.held)); k > 0; k-- {
		if strings.HasSuffix(r.held, word[:k]) {
			return len(r.held) - k
		}
	}
	return len(r.held)
}

// number reads a # and the digits after it, outside of code.
func (r *Reader) number(end bool) (n int, claim *Claim) {
	rest := strings.TrimLeft(r.held[1:], "0123456789")
	n = len(r.held) - len(rest)
	switch {
	case n == len(r.held) && !end && n <= mostDigits+1:
		return 0, nil
	case n == 1 || n > mostDigits+1 || word(r.before):
		return n, nil
	}
	if after, _ := utf8.DecodeRuneInString(r.held[n:]); n < len(r.held) && word(after) {
		return n, nil
	}
	if c, ok := Parse(r.held[:n]); ok {
		return n, &c
	}
	return n, nil
}

func word(c rune) bool {
	return c == '_' || c == '&' || c == '/' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// code reads code in backquotes, which ends with as many backquotes as it begins with. Three or more backquotes
// begin a block of code, which contains no claims.
func (r *Reader) code(end bool) (n int, claim *Claim) {
	ticks := len(r.held) - len(strings.TrimLeft(r.held, "`"))
	if ticks == len(r.held) && !end {
		if ticks < mostCode {
			return 0, nil
		}
		return ticks, nil
	}
	if ticks > 2 {
		r.fence = r.held[:ticks]
		return ticks, nil
	}
	for at := ticks; at < len(r.held); {
		switch r.held[at] {
		case '\n':
			return ticks, nil // not code: values are on one line
		case '`':
			closing := len(r.held[at:]) - len(strings.TrimLeft(r.held[at:], "`"))
			if at+closing == len(r.held) && !end {
				return 0, nil // more backquotes may follow
			}
			if closing == ticks {
				code := strings.TrimSpace(r.held[ticks:at])
				if c, ok := Parse(code); ok {
					return at + closing, &c
				}
				return at + closing, nil
			}
			at += closing
		default:
			at++
		}
		if at > mostCode {
			return ticks, nil
		}
	}
	if end {
		return len(r.held), nil
	}
	return 0, nil
}
