package session

import (
	"fmt"
	"regexp"
	"slices"
)

// identifiers matches the names in a text.
var identifiers = regexp.MustCompile(`[A-Za-z_]\w*`)

// named returns names of the selected frame, at most briefNames: first those in the question, then those in the
// current line, then others.
func (b *briefing) named() (names []string) {
	line := ""
	if b.view.State != nil {
		line = b.view.State.Source
	}
	has := map[string]bool{}
	var all []string
	for _, l := range b.view.Locals {
		if !l.Hidden {
			has[l.Name] = true
			all = append(all, l.Name)
		}
	}
	for _, l := range b.view.Globals {
		has[l.Name] = true
	}
	for _, name := range slices.Concat(identifiers.FindAllString(b.about, -1), identifiers.FindAllString(line, -1), all) {
		if has[name] && !slices.Contains(names, name) && len(names) < briefNames {
			names = append(names, name)
		}
	}
	return names
}

// changes lists the last changes of the values of names.
func (b *briefing) changes() {
	for _, name := range b.named() {
		f, _, err := b.values.follow(b.ctx, name)
		if err != nil {
			continue
		}
		from := b.position.here()
		for range briefChanges {
			c, ok := f.last(from)
			if !ok {
				break
			}
			by := c.By
			if c.Set != nil {
				by = *c.Set
			}
			text := fmt.Sprintf("%s%s = %s", b.number(c.Event), name, b.reading(name, c.New))
			if c.Old.OK {
				text += ", before " + b.reading(name, c.Old)
			}
			if by.Event >= 0 {
				set := "set by"
				if b.program.past() == nil { // other lines may have run between two states
					set = "changed after"
				}
				text += fmt.Sprintf(", %s %s%s", set, b.number(by.Event), b.place(by))
			}
			b.say("%s", text)
			from = c.Event - 1
		}
	}
}

// origins lists where the values of names came from. It uses only known states and asks no model.
func (b *briefing) origins() {
	for _, name := range b.named()[:min(len(b.named()), briefChains)] {
		_, frame, err := b.values.follow(b.ctx, name)
		if err != nil {
			continue
		}
		found, _, err := b.values.knownHops().hops(name, nil, frame)
		if err != nil {
			continue
		}
		for _, h := range found[:min(len(found), briefHops)] {
			text := fmt.Sprintf("%s: %s %s = %s", name, kindText(h.Hop), h.Expression, b.reading(h.Expression, h.Value))
			if h.By.Event >= 0 {
				text += fmt.Sprintf(", by %s%s", b.number(h.By.Event), b.place(h.By))
			}
			if h.Note != "" {
				text += " (" + h.Note + ")"
			}
			b.say("%s", text)
		}
	}
}
