package redact

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
)

// scanner redacts a text in Python token by token.
type scanner struct {
	*Redactor
	source string
	values bool // the text is a value, so all its brackets belong to the name of the value
	tokens []python.Token
	open   []bracket
	// Strength of the name that the next literal is compared with or replaces.
	compared strength
	word     string                  // first name of the current statement
	function string                  // name of the last def
	named    map[int][]python.Naming // names of each string, by its offset
	out      strings.Builder
	done     int // how much of source was copied to out
	literals int
}

// scan redacts a text. at is the place of the whole text. values is set if it is a value, not a
// program.
func (r *Redactor) scan(text string, at place, values bool) *scanner {
	s := &scanner{Redactor: r, source: text, values: values, tokens: python.Tokens(text)}
	s.open = []bracket{{base: at, at: at}}
	if !values {
		s.named = python.Namings(text, r.callables)
	}
	for i := 0; i < len(s.tokens); {
		i = s.take(i)
	}
	s.copyTo(len(text))
	return s
}

func (s *scanner) top() *bracket { return &s.open[len(s.open)-1] }

// copyTo copies the source up to a position, and redacts comments in it.
func (s *scanner) copyTo(pos int) {
	gap := s.source[s.done:pos]
	if strings.Contains(gap, "#") {
		gap = s.comment(gap)
	}
	s.out.WriteString(gap)
	s.done = pos
}

// put replaces the source between two positions by a text.
func (s *scanner) put(from, to int, text string) {
	s.copyTo(from)
	s.out.WriteString(text)
	s.done = to
}

// keep copies a token as it is.
func (s *scanner) keep(t python.Token) {
	s.copyTo(t.From)
	s.out.WriteString(s.source[t.From:t.To])
	s.done = t.To
}

// take processes the token at index i with those that belong to it, and returns the index of the
// next token.
func (s *scanner) take(i int) int {
	t := s.tokens[i]
	b := s.top()
	compared := s.compared
	s.compared = harmless
	switch t.Kind {
	case python.NewlineToken:
		if !s.values {
			s.begin()
		}
	case python.NameToken:
		// A repr may show the secret without quotes: Sealed(hunter2).
		if s.values && b.at.is == strong && s.alone(i) && len(t.Value) >= leastText && !constant.MatchString(t.Value) {
			s.put(t.From, t.To, "'"+Placeholder+"'")
			return i + 1
		}
		if s.word == "" {
			s.word = t.Value
		}
		switch {
		case t.Value == "for":
			b.loops = true
		case t.Value == "in" && b.loops:
			b.loops = false // python.Namings handles the iterable
		case t.Value == "in" && !b.quoted: // a search in a secret: 'hunter2' in password
			b.at = b.at.or(s.of(b.name))
		// The default of a secret follows: os.environ.get('PASSWORD') or 'hunter2'.
		case t.Value == "or" && !b.quoted:
			s.compared = s.of(b.name)
		case t.Value == "return":
			s.compared = s.gives(s.function)
		case b.name == "def" && !s.values:
			s.function = t.Value
		}
		b.name, b.quoted = t.Value, false
	case python.StringToken:
		return s.str(i, compared)
	case python.FormatStart:
		return s.format(i)
	case python.NumberToken:
		if (b.at.is == strong && !b.at.argued && !b.index || s.boundNumber(t.From)) && digits(t.Value) >= leastDigits {
			s.literals++
			s.put(t.From, t.To, "0")
			return i + 1
		}
	case python.BrokenToken:
		if b.at.is > keyed && t.To > t.From || s.matches(t.Value, false) {
			s.literals++
			s.put(t.From, t.To, quoted("'", "", Placeholder, t.Value))
			return i + 1
		}
	case python.OperatorToken:
		s.operator(i, t.Value)
	}
	s.keep(t)
	return i + 1
}

// The tokens before and after an element that is a single token; "" is the end of a line.
var (
	openers = []string{"(", "[", "{", ",", "=", ":", ""}
	closers = []string{")", "]", "}", ",", ""}
)

// alone reports whether the token at index i is a whole element in brackets.
func (s *scanner) alone(i int) bool {
	return i > 0 && slices.Contains(openers, s.tokens[i-1].Value) && i+1 < len(s.tokens) && slices.Contains(closers, s.tokens[i+1].Value)
}

// begin starts a new statement.
func (s *scanner) begin() {
	base := s.open[0].base
	s.open = append(s.open[:0], bracket{base: base, at: base})
	s.word = ""
}

// str processes the string at index i and those that Python joins to it, and returns the index of
// the next token.
func (s *scanner) str(i int, compared strength) int {
	end, text := i, ""
	for ; end < len(s.tokens) && s.tokens[end].Kind == python.StringToken; end++ {
		text += s.tokens[end].Value
	}
	b := s.top()
	key := b.open == "{" && end < len(s.tokens) && s.tokens[end].Value == ":"
	at := b.at
	is := max(compared, s.mirrored(end))
	if s.pair(b, text, end) {
		is = strong
	}
	if is > weak {
		at = at.or(is)
	}
	named := !key && !b.index && (s.secret(text, at) || s.bound(text, s.tokens[i].From))
	b.name, b.quoted = text, true
	if !named && !s.matches(text, !key && !b.index) {
		for _, t := range s.tokens[i:end] {
			s.keep(t)
		}
		return end
	}
	if named {
		s.learn(text)
	}
	s.literals++
	for n, t := range s.tokens[i:end] {
		source, inside := s.source[t.From:t.To], ""
		if n == 0 {
			inside = Placeholder
		}
		quote := strings.IndexAny(source, `'"`)
		prefix := ""
		if strings.ContainsAny(source[:quote], "bB") {
			prefix = "b"
		}
		s.put(t.From, t.To, quoted(source[quote:quote+1], prefix, inside, source))
	}
	return end
}

// bound reports whether a string is secret because of a name that python.Namings found for it. from
// is its offset in the source.
func (s *scanner) bound(text string, from int) bool {
	for _, n := range s.named[from] {
		at := place{is: s.of(n.Name), argued: n.Argued}
		if n.Given {
			at.is = s.gives(n.Name)
		}
		if s.secret(text, at) {
			return true
		}
	}
	return false
}

// boundNumber reports whether the number at offset from is secret because of a name that
// python.Namings found for it.
func (s *scanner) boundNumber(from int) bool {
	for _, n := range s.named[from] {
		if !n.Argued && !n.Given && s.of(n.Name) == strong {
			return true
		}
	}
	return false
}

// quoted returns a literal that replaces another one (was) and has as many line breaks.
func quoted(quote, prefix, inside, was string) string {
	return prefix + quote + inside + strings.Repeat("\\\n", strings.Count(was, "\n")) + quote
}

// format replaces the formatted string at index i if it contains a secret; else it copies only the
// string's first token. It returns the index of the next token.
func (s *scanner) format(i int) int {
	end, depth, text := i, 0, ""
	for ; end < len(s.tokens); end++ {
		switch t := s.tokens[end]; t.Kind {
		case python.FormatStart:
			depth++
		case python.FormatText:
			text += t.Value
		case python.FormatEnd:
			depth--
		}
		if depth == 0 {
			break
		}
	}
	b := s.top()
	named := !b.index && (s.secret(text, b.at) || s.bound(text, s.tokens[i].From))
	if end == len(s.tokens) || !named && !s.matches(text, false) {
		s.keep(s.tokens[i])
		return i + 1
	}
	from, to := s.tokens[i].From, s.tokens[end].To
	source := s.source[from:to]
	quote := strings.IndexAny(source, `'"`)
	s.literals++
	s.put(from, to, quoted(source[quote:quote+1], "", Placeholder, source))
	return end + 1
}

// operator processes an operator or a bracket, which is token i.
func (s *scanner) operator(i int, op string) {
	b := s.top()
	switch op {
	case "(", "[", "{":
		s.push(i, op)
	case ")", "]", "}":
		if len(s.open) == 1 {
			return
		}
		s.open = s.open[:len(s.open)-1]
		s.closed(b, s.top())
	case ",":
		s.comma(b)
	case "=", ":=", "+=":
		s.assign(b)
	case ":":
		s.colon(b)
	case "==", "!=":
		s.compared = s.of(b.name)
	case ";":
		s.begin()
	}
}

func digits(number string) int {
	n := 0
	for _, c := range number {
		if '0' <= c && c <= '9' {
			n++
		}
	}
	return n
}

// isKeyword holds the words that are not called if a bracket follows them, and that begin a block
// if a colon follows.
var isKeyword = map[string]bool{}

func init() {
	for _, word := range strings.Fields(`and as assert async await class def del elif else except finally for from global if import in is
		lambda match case nonlocal not or raise return try while with yield`) {
		isKeyword[word] = true
	}
}
