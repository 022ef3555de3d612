package policy

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/python"
)

// Limits for choosing an edit: the number of events at which a local with a literal is searched, and the
// number of attempts to find a new value or a move toward the edit.
const (
	placesTried   = 12
	literalsTried = 8
)

// Edit returns a random edit of a recording: a line event, a local whose value is a literal, and a new
// value for the local. In most cases it returns nil, for no edit.
func (s *Settings) Edit(rng *rand.Rand, r *recorder.Recording) *recorder.Edit {
	if !chance(rng, s.Edits) {
		return nil
	}
	var lines []int
	for i := range r.Tree.Len() {
		if r.Tree.At(i).Event == dsl.Line {
			lines = append(lines, i)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	for range placesTried {
		at := lines[rng.IntN(len(lines))]
		state := r.Tree.State(at)
		used := chance(rng, s.Used)
		var names []dsl.Local
		for _, l := range state.Locals {
			if l.Hidden || len(l.Value) > s.EditChars || !python.IsName(l.Name) || used && !reads(state.Source, l.Name) {
				continue
			}
			if _, ok := readLiteral(l.Value); ok {
				names = append(names, l)
			}
		}
		if len(names) == 0 {
			continue
		}
		l := names[rng.IntN(len(names))]
		if text, ok := s.another(rng, r, l); ok {
			return &recorder.Edit{At: at, Name: l.Name, Literal: text}
		}
	}
	return nil
}

// another returns a random different literal for a local: one that occurs elsewhere in the recording,
// with the same kind or name, or one that is similar to the old value. ok is false if all attempts
// failed.
func (s *Settings) another(rng *rand.Rand, r *recorder.Recording, l dsl.Local) (text string, ok bool) {
	old, _ := readLiteral(l.Value)
	for range literalsTried {
		if chance(rng, s.Other) || old.kind == literalNone {
			text = s.elsewhere(rng, r, l.Name, old.kind)
		} else {
			text = old.near(rng).text()
		}
		if text != "" && text != l.Value && len(text) <= s.EditChars {
			return text, true
		}
	}
	return "", false
}

// elsewhere returns a literal with the given name or kind from the state at a random event, or "" if
// that state contains none.
func (s *Settings) elsewhere(rng *rand.Rand, r *recorder.Recording, name string, kind literalKind) string {
	var fit []string
	for _, l := range r.Tree.State(rng.IntN(r.Tree.Len())).Locals {
		if l.Hidden || len(l.Value) > s.EditChars {
			continue
		}
		if v, ok := readLiteral(l.Value); ok && (l.Name == name || v.kind == kind) {
			fit = append(fit, l.Value)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	return fit[rng.IntN(len(fit))]
}

// reads reports whether a line may read the value of a name. The name must occur in the
// line as a word, and not only as the target of a for loop or of an assignment.
func reads(line, name string) bool {
	for rest := line; ; {
		_, after, loops := cutWord(rest, "for")
		if !loops {
			break
		}
		bound, _, in := cutWord(after, "in")
		if _, _, binds := cutWord(bound, name); in && binds {
			return false
		}
		rest = after
	}
	for rest := line; ; {
		_, after, found := cutWord(rest, name)
		if !found {
			return false
		}
		set, is := strings.CutPrefix(strings.TrimLeft(after, " "), "=")
		if !is || strings.HasPrefix(set, "=") {
			return true
		}
		rest = after
	}
}

// cutWord splits a line around the first occurrence of a word.
func cutWord(line, word string) (before, after string, found bool) {
	for from := 0; from+len(word) <= len(line); from++ {
		to := from + len(word)
		if line[from:to] == word && (from == 0 || !inWord(line[from-1])) && (to == len(line) || !inWord(line[to])) {
			return line[:from], line[to:], true
		}
	}
	return line, "", false
}

func inWord(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// before returns a plan whose text begins at most EditLead events before an edit. If p is a question
// about a call, the result is a walk that continues after the edit.
func (s *Settings) before(rng *rand.Rand, r *recorder.Recording, edit *recorder.Edit, p Plan) Plan {
	p.Ask = NoQuestion
	first := 0
	if len(p.Start) > 0 {
		first = p.Start[len(p.Start)-1]
	}
	if lead := edit.At - first; lead < 0 || lead > s.EditLead {
		p.Start = s.compacted(rng, r, max(edit.At-rng.IntN(s.EditLead+1), 0))
	}
	return p
}

// edit walks to an edit, writes it, and continues the walk in after, the recording that was made with
// the edit.
func (p *page) edit(w *walk, after *scene, edit *recorder.Edit) error {
	if err := w.sameUntil(after, edit.At); err != nil {
		return err
	}
	for w.at.Event < edit.At {
		if err := p.move(w.scene, w.toward(edit.At)); err != nil {
			return err
		}
	}
	w.scene = after
	stop, err := after.stop(edit.At)
	if err != nil {
		return err
	}
	_, err = p.append(dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
	return err
}

// toward returns a random forward move that does not go beyond an event.
func (w *walk) toward(event int) move {
	from := w.at
	for range literalsTried {
		if m := w.make(w.draw(false)); !m.to.End && !m.to.PostMortem && m.to.Event <= event {
			return m
		}
		w.at = from
	}
	return w.make(dsl.Action{Move: dsl.StepInto})
}

// sameUntil returns an error if a recording with an edit differs from the original
// recording before the edit.
func (w *walk) sameUntil(edited *scene, at int) error {
	if at < 0 || at >= w.len() || at >= edited.len() {
		return fmt.Errorf("an edit at event %d of recordings with %d and %d events", at, w.len(), edited.len())
	}
	for i := range at + 1 {
		if a, b := w.tree.At(i), edited.tree.At(i); a.Event != b.Event || a.Line != b.Line || a.Activation != b.Activation {
			return fmt.Errorf("the recording with an edit at event %d differs before: at event %d it is at line %d, not %d", at, i, b.Line, a.Line)
		}
	}
	return nil
}
