package redact

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
)

// place describes the position of a literal: which name its value belongs to.
type place struct {
	is strength // strength of that name
	// The literal is a call's argument, so it may only describe the secret: input("Password: ").
	argued bool
}

func (p place) or(s strength) place {
	if s > p.is {
		return place{is: s}
	}
	return p
}

// bracket is the state of the scanner within a pair of brackets, or at the top level of a
// statement.
type bracket struct {
	open    string // "(", "[" or "{"; "" at the top level of a statement
	call    bool   // the brackets hold the arguments of a call, or parameters
	index   bool   // the brackets hold a subscript: d[...]
	base    place  // the place that all elements have
	at      place  // the place of the current element
	name    string // the last name or key that was read
	quoted  bool   // name is a string literal
	typed   string // the name whose annotation is being read, else ""
	given   bool   // an = was read in this statement
	loops   bool   // the scanner is between for and in
	element int
	params  []string // the parameters of the called function
	said    bool     // an earlier element is a string that names a secret
}

// push enters the bracket op, which is token i.
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

// argument sets the place of the next argument of a call. It follows from the name of its
// parameter, or from the string argument before it: conf.set('password', 'hunter2').
func (b *bracket) argument(before string, s *scanner) {
	b.at = b.base
	if b.element < len(b.params) {
		b.at = b.at.or(s.of(b.params[b.element]))
	}
	if is := s.of(before); is > b.at.is {
		b.at = place{is: is, argued: true}
	}
}

// comma ends an element and begins the next one.
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
			// The string names the next element: conf.set('password', 'hunter2'), ['--password',
			// 'hunter2'].
			before = b.name
		}
		b.said = b.said || b.quoted && s.of(b.name) == strong
		b.argument(before, s)
	}
	b.name, b.quoted, b.typed = "", false, ""
}

// closed leaves a bracket and sets the name that the expression before it has from here on. For
// example, d['password'] counts as a name "password", and passwords['bob'] as "passwords".
func (s *scanner) closed(b, outer *bracket) {
	switch {
	case b.index && b.quoted && (s.of(b.name) > keyed || s.of(outer.name) <= keyed),
		b.index && b.name == strings.ToUpper(b.name) && s.of(b.name) == strong:
		// The subscript names the value: d['password'], d[PASSWORD].
		outer.name, outer.quoted = b.name, false
	case b.index: // the outer name stays: passwords['bob'], passwords[i]
		outer.quoted = false
	case b.call && b.quoted && !s.values && s.of(b.name) == strong:
		outer.name, outer.quoted = b.name, false // the argument names the result: d.get('password')
	case b.call:
		outer.name, outer.quoted = "", false
	default:
		outer.name, outer.quoted = "", false
	}
}

// pair reports whether a string is the second of a tuple whose first string names a secret. The
// string ends before token end. One that may itself be a name (small letters and _) does not count.
func (s *scanner) pair(b *bracket, text string, end int) bool {
	return b.said && b.element == 1 && b.open == "(" && !b.call && end < len(s.tokens) && s.tokens[end].Value == ")" &&
		strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") != ""
}

// mirrored returns the strength of the name that a literal is compared with, if == or != follows it
// as token end.
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

// assign begins the value that an = gives to a name.
func (s *scanner) assign(b *bracket) {
	name := b.name
	if b.typed != "" {
		name = b.typed
	}
	if b.open != "" || s.values {
		b.at = b.base.or(s.of(name))
		if b.call {
			s.stands(b) // the default of a secret: getenv('API_KEY', default='hunter2')
		}
		return
	}
	if !b.given && b.element == 0 { // python.Namings handles several targets
		b.at = b.at.or(s.of(name))
	}
	b.given, b.typed = true, ""
}

// defaults lists the parameters and keys whose value is that of the name given before them.
var defaults = []string{"default", "fallback", "value"}

// stands marks the next value as a secret if it follows one of the defaults and an earlier string
// named a secret.
func (s *scanner) stands(b *bracket) {
	if b.said && slices.Contains(defaults, b.name) {
		b.at = b.at.or(strong)
	}
}

// colon begins the value of a dictionary key, an annotation, or a block.
func (s *scanner) colon(b *bracket) {
	switch {
	case b.open == "{" || s.values: // also in a repr such as <User password: 'hunter2'>
		b.at = b.base.or(s.of(b.name))
		s.stands(b) // named by an earlier entry: {'name': 'API_KEY', 'value': 'hunter2'}
	case b.open == "" && isKeyword[s.word]:
		s.begin()
	case b.open == "" || b.open == "(":
		b.typed = b.name
	}
}
