package embedded

import (
	"strings"

	"github.com/npdb/npdb/dsl"
)

// determined returns the only possible continuation of the text, as far as there is one,
// and moves the spot behind it.
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

// only returns the one separator or byte that can follow, or "" if there are several.
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
