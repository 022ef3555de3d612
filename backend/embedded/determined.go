package embedded

import (
	"strings"

	"github.com/npdb/npdb/dsl"
)

// determined returns the longest text that must follow, because nothing else is allowed, and
// advances the spot past it.
func (p *spot) determined() string {
	var b strings.Builder
	for !p.done() {
		next := p.exactly
		p.exactly = ""
		if next == "" {
			var after spot
			if next, after = p.only(); next == "" {
				break
			}
			*p = after
		}
		b.WriteString(next)
	}
	return b.String()
}

// only returns the one separator or byte that is allowed next, with the spot after it, or "" if
// several are allowed.
func (p *spot) only() (next string, after spot) {
	try := func(text string, take func(q *spot) bool) (several bool) {
		q := *p
		if !take(&q) {
			return false
		}
		several = next != ""
		next, after = text, q
		return several
	}
	rule := p.part.Rule()
	if rule.Holds == dsl.AValue {
		return "", after
	}
	for _, w := range rule.Ways {
		if w.Token == 0 {
			continue
		}
		name := dsl.ND1.Name(w.Token)
		if try(name, func(q *spot) bool { return q.mark(name) }) {
			return "", after
		}
	}
	for b := byte(0x20); b != 0; b++ {
		if try(string([]byte{b}), func(q *spot) bool { return q.byte(b) }) {
			return "", after
		}
	}
	return next, after
}
