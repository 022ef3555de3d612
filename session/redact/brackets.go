package redact

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
)

// place is what is known of where a literal stands.
type place struct {
	is     strength // of the name whose value it is, or is a part of
	argued bool     // in the arguments of a call, which may be about the secret
}

func (p place) or(s strength) place {
	if s > p.is {
		return place{is: s}
	}
	return p
}

// bracket is what is known within brackets, or of a statement.
type bracket struct {
	open    string // "" of a statement
	call    bool   // arguments, or parameters
	index   bool   // a subscript
	base    place  // of all elements
	at      place  // of the element at hand
	name    string // the last name, or key, that was met
	quoted  bool   // it is a string
	typed   string // the name whose annotation is read
	given   bool   // after =
	loops   bool   // between for and in
	element int
	params  []string // the parameters of the called function
	said    bool     // a string among the elements is a secret's name
}

// push opens a bracket.
func (s *scanner) push(i int, op string) {
	b := s.top()
	applied := false
	if i > 0 {
		switch before := s.tokens[i-1]; before.Kind {
		case python.NameToken:
			applied = !isKeyword[before.Value]
		case python.StringToken, python.FormatEnd:
			applied = op == "["
		case python.OperatorToken:
			applied = before.Value == ")" || before.Value == "]"
		}
	}
	next := bracket{open: op, base: b.at, at: b.at}
	switch {
	case applied && op == "[" && !s.values:
		next.index, next.base, next.at = true, place{}, place{}
	case applied && op == "(":
		next.call = true
		if !s.values {
			next.base.argued, next.at.argued = true, true
			next.params = s.callables[b.name].Params
		}
		next.argument("", s)
	}
	s.open = append(s.open, next)
}

// argument is where the next argument of a call stands, by its parameter or by what was
// said before it.
func (b *bracket) argument(before string, s *scanner) {
	b.at = b.base
	if b.element < len(b.params) {
		b.at = b.at.or(s.of(b.params[b.element]))
	}
	if is := s.of(before); is > b.at.is {
		b.at = place{is: is, argued: true}
	}
}

// comma ends an element.
func (s *scanner) comma(b *bracket) {
	switch {
	case s.values && b.open == "":
		b.at = b.base
	case b.open == "":
		b.element++
	default:
		b.element++
		before := ""
		if b.quoted && (b.call && !s.values || strings.HasPrefix(b.name, "--")) {
			before = b.name // conf.set('password', 'hunter2'), ['--password', 'hunter2']
		}
		b.said = b.said || b.quoted && s.of(b.name) == strong
		b.argument(before, s)
	}
	b.name, b.quoted, b.typed = "", false, ""
}

// closed gives what surrounds a pair of brackets the names that the brackets had.
func (s *scanner) closed(b, outer *bracket) {
	switch {
	case b.index && b.quoted && (s.of(b.name) > keyed || s.of(outer.name) <= keyed),
		b.index && b.name == strings.ToUpper(b.name) && s.of(b.name) == strong:
		outer.name, outer.quoted = b.name, false // d['password'] and d[PASSWORD] are the name of what it holds
	case b.index: // passwords['bob'] and passwords[i] are passwords
		outer.quoted = false
	case b.call && b.quoted && !s.values && s.of(b.name) == strong:
		outer.name, outer.quoted = b.name, false // d.get('password')
	case b.call:
		outer.name, outer.quoted = "", false
	default:
		outer.name, outer.quoted = "", false
	}
}

// pair reports whether the string that ends before a token is the second of a pair, the
// first of which is a secret's name. What may be another name is none.
func (s *scanner) pair(b *bracket, text string, end int) bool {
	return b.said && b.element == 1 && b.open == "(" && !b.call && end < len(s.tokens) && s.tokens[end].Value == ")" &&
		strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") != ""
}

// mirrored returns the strength of the name that what ends before a token is compared with.
func (s *scanner) mirrored(end int) strength {
	if end >= len(s.tokens) || !isComparison(s.tokens[end].Value) {
		return harmless
	}
	name := ""
	for i := end + 1; i < len(s.tokens); i++ {
		switch t := s.tokens[i]; {
		case t.Kind == python.NameToken && !isKeyword[t.Value]:
			name = t.Value
		case t.Value != ".":
			return s.of(name)
		}
	}
	return s.of(name)
}

func isComparison(op string) bool { return op == "==" || op == "!=" }

// assign begins what a name gets.
func (s *scanner) assign(b *bracket) {
	name := b.name
	if b.typed != "" {
		name = b.typed
	}
	if b.open != "" || s.values {
		b.at = b.base.or(s.of(name))
		if b.call {
			s.stands(b) // getenv('API_KEY', default='hunter2')
		}
		return
	}
	if !b.given && b.element == 0 { // Namings handles several targets
		b.at = b.at.or(s.of(name))
	}
	b.given, b.typed = true, ""
}

// defaults are the arguments and keys that stand for what a string before them names.
var defaults = []string{"default", "fallback", "value"}

// stands marks what follows a default as the value of the name before it.
func (s *scanner) stands(b *bracket) {
	if b.said && slices.Contains(defaults, b.name) {
		b.at = b.at.or(strong)
	}
}

// colon begins the value of a key, an annotation, or a block.
func (s *scanner) colon(b *bracket) {
	switch {
	case b.open == "{" || s.values: // <User password: 'hunter2'> too
		b.at = b.base.or(s.of(b.name))
		s.stands(b) // {'name': 'API_KEY', 'value': 'hunter2'}
	case b.open == "" && isKeyword[s.word]:
		s.begin()
	case b.open == "" || b.open == "(":
		b.typed = b.name
	}
}
