package dsl

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits: a number has at most nine digits, and the letters of a file stand for a number below
// maxFiles.
const (
	maxNumber = 999_999_999
	maxFiles  = 1 << 20
)

// errMore reports that the text is valid so far but incomplete.
var errMore = errors.New("more text is needed")

// scanner parses the smallest parts of a text. At the end of an incomplete text its methods return
// errMore, and the caller resets pos to where the part began. When more text arrives, a long part
// is not scanned again from its beginning.
type scanner struct {
	*Format
	buf   []byte
	pos   int
	final bool // no more text will come

	part, seen int // the part that begins at offset part has been scanned up to seen
}

func (s *scanner) fault(kind FaultKind, at int, format string, args ...any) error {
	return &DecodeError{Kind: kind, Offset: at, Message: fmt.Sprintf(format, args...)}
}

// outside returns the error for a line that the program does not have, or whose source differs.
func (s *scanner) outside(at int, format string, args ...any) error {
	return &DecodeError{Kind: Impossible, Offset: at, Message: fmt.Sprintf(format, args...), Outside: true}
}

// malformed returns an error with what was expected at pos.
func (s *scanner) malformed(want string) error {
	return s.fault(Malformed, s.pos, "want %s, have %s", want, s.excerpt(s.pos))
}

func (s *scanner) excerpt(at int) string {
	const most = 24
	rest := s.buf[at:]
	if len(rest) > most {
		return strconv.QuoteToASCII(string(rest[:most])) + "…"
	}
	return strconv.QuoteToASCII(string(rest))
}

// more returns errMore, or the error for a truncated text if no more text will come.
func (s *scanner) more(want string) error {
	if s.final {
		return s.fault(Truncated, len(s.buf), "the text ends where it should have %s", want)
	}
	return errMore
}

// literal reads exactly this text.
func (s *scanner) literal(text, want string) error {
	rest := s.buf[s.pos:]
	n := min(len(rest), len(text))
	if string(rest[:n]) != text[:n] {
		return s.malformed(want)
	}
	if n < len(text) {
		return s.more(want)
	}
	s.pos += n
	return nil
}

// token reads one of the given tokens.
func (s *scanner) token(among ...Token) (Token, error) {
	rest, partly := s.buf[s.pos:], false
	want := s.Name(among[0])
	if len(among) > 1 {
		want = "a token such as " + want
	}
	for _, t := range among {
		name := s.Name(t)
		if n := min(len(rest), len(name)); string(rest[:n]) == name[:n] {
			if n == len(name) {
				s.pos += n
				return t, nil
			}
			partly = true
		}
	}
	if partly {
		return 0, s.more(want)
	}
	return 0, s.malformed(want)
}

// at reports whether a token comes next, without reading it.
func (s *scanner) at(t Token) (bool, error) {
	rest, name := s.buf[s.pos:], s.Name(t)
	n := min(len(rest), len(name))
	if string(rest[:n]) != name[:n] {
		return false, nil
	}
	if n < len(name) {
		return false, s.more(name)
	}
	return true, nil
}

// peek skips white space and returns the next character of JSON, which must be one of among.
func (s *scanner) peek(among, want string) (byte, error) {
	for s.pos < len(s.buf) && strings.IndexByte(" \t\r\n", s.buf[s.pos]) >= 0 {
		s.pos++
	}
	if s.pos == len(s.buf) {
		return 0, s.more(want)
	}
	if strings.IndexByte(among, s.buf[s.pos]) < 0 {
		return 0, s.malformed(want)
	}
	return s.buf[s.pos], nil
}

// mark reads the character that peek returns.
func (s *scanner) mark(among, want string) (byte, error) {
	c, err := s.peek(among, want)
	if err == nil {
		s.pos++
	}
	return c, err
}

// json reads the JSON in then, which consists of punctuation and keys, with any spacing.
func (s *scanner) json(then, want string) error {
	for ; then != ""; then = strings.TrimLeft(then, " ") {
		if then[0] != '"' {
			if _, err := s.mark(then[:1], want); err != nil {
				return err
			}
			then = then[1:]
			continue
		}
		name, after, _ := strings.Cut(then[1:], `"`)
		at, err := s.quote(want)
		if err != nil {
			return err
		}
		if got, _, err := s.str(want); err != nil {
			return err
		} else if got != name {
			return s.fault(Malformed, at, "want %s, have the name %q", want, got)
		}
		then = after
	}
	return nil
}

// quote skips white space and returns the position of the quote that begins the next string.
func (s *scanner) quote(want string) (at int, err error) {
	_, err = s.peek(`"`, want)
	return s.pos, err
}

// resume returns the position at which to continue scanning the part that begins at pos.
func (s *scanner) resume() int {
	if s.part != s.pos || s.seen < s.pos {
		s.part, s.seen = s.pos, s.pos
	}
	return s.seen
}

// str reads a JSON string. It also returns the raw bytes, because ".." and two escaped dots have
// different meanings.
func (s *scanner) str(want string) (text string, raw []byte, err error) {
	if _, err := s.mark(`"`, want); err != nil {
		return "", nil, err
	}
	i := s.resume()
	for {
		if i == len(s.buf) {
			s.seen = i
			return "", nil, s.more(`" at the end of ` + want)
		}
		c := s.buf[i]
		switch {
		case c == '"':
			raw = s.buf[s.pos:i]
			text, bad, why := unquote(raw)
			if bad >= 0 {
				return "", nil, s.fault(Malformed, s.pos+bad, "%s: %s", why, s.excerpt(s.pos+bad))
			}
			s.pos = i + 1
			return text, raw, nil
		case c < 0x20:
			return "", nil, s.fault(Malformed, i, "the control character %q stands unescaped in %s", c, want)
		case c != '\\' && c != '<':
			i++
			continue
		}
		// The meaning of a backslash or < depends on the next character.
		if i+1 == len(s.buf) {
			s.seen = i
			return "", nil, s.more(`" at the end of ` + want)
		}
		switch {
		case c == '\\':
			i += 2
		case s.buf[i+1] == '|':
			return "", nil, s.fault(Malformed, i, "a < before | stands unescaped in %s: %s", want, s.excerpt(i))
		default:
			i++
		}
	}
}

// number reads digits without a leading zero.
func (s *scanner) number(want string) (int, error) {
	n := 0
	for i := s.pos; ; i++ {
		switch {
		case i == len(s.buf):
			return 0, s.more(want)
		case s.buf[i] < '0' || s.buf[i] > '9':
			if i == s.pos || s.buf[s.pos] == '0' && i > s.pos+1 {
				return 0, s.malformed(want)
			}
			s.pos = i
			return n, nil
		}
		if n > maxNumber/10 {
			return 0, s.malformed(want + " of at most nine digits")
		}
		n = n*10 + int(s.buf[i]-'0')
	}
}

// place reads a line number: "12", or "a:12" in a program of several files.
func (s *scanner) place(several bool) (Location, error) {
	const want = "a line number"
	var at Location
	if several {
		file, i := 0, s.pos
		for ; i < len(s.buf) && s.buf[i] >= 'a' && s.buf[i] <= 'z'; i++ {
			if file > maxFiles/26 {
				return at, s.malformed("a file's letter")
			}
			file = file*26 + int(s.buf[i]-'a') + 1
		}
		if i == len(s.buf) {
			return at, s.more("a file's letter")
		}
		if i == s.pos || s.buf[i] != ':' {
			return at, s.malformed("a file's letter and a colon")
		}
		at.File, s.pos = file-1, i+1
	}
	var err error
	from := s.pos
	if at.Line, err = s.number(want); err == nil && at.Line == 0 {
		s.pos = from
		return at, s.malformed(want + ": they count from 1")
	}
	return at, err
}

// sourceLine reads the rest of a line of program text.
func (s *scanner) sourceLine() (string, error) {
	i := s.resume()
	end := bytes.IndexByte(s.buf[i:], '\n')
	if end < 0 {
		s.seen = len(s.buf)
		return "", s.more("a line's end")
	}
	raw := s.buf[s.pos : i+end]
	if cr := bytes.IndexByte(raw, '\r'); cr >= 0 {
		return "", s.fault(Malformed, s.pos+cr, "a carriage return stands in program text")
	}
	if !utf8.Valid(raw) {
		return "", s.fault(Malformed, s.pos, "this line is not UTF-8: %s", s.excerpt(s.pos))
	}
	text, bad := unescapeSource(raw)
	if bad >= 0 {
		return "", s.fault(Malformed, s.pos+bad, "a < before | or \\ is not escaped: %s", s.excerpt(s.pos+bad))
	}
	s.pos += len(raw) + 1
	return text, nil
}
