package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/session/compare"
)

// Selection selects the wrong answers of a result to show. An empty field selects all.
type Selection struct {
	By, Program, Measure string
	Event                string // the true event after the move
	Limit                int    // maximum number to show; 0 shows all
}

// mistake is a wrong answer with its texts parsed.
type mistake struct {
	eval.Mistake
	at            *dsl.Node
	action        dsl.Action
	answer, truth *dsl.Reply
	verdicts      compare.Verdicts
}

// Mistakes writes a table that counts the selected wrong answers by what is wrong in them.
// Then it writes the question, the answer and the truth of each.
func Mistakes(w io.Writer, r *eval.Result, s Selection, styled bool) error {
	all, err := selected(r, s)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "no wrong answers")
		return err
	}
	if err := Text(w, []Table{wrongAbout(all)}, styled); err != nil {
		return err
	}
	var b strings.Builder
	for i, m := range all {
		if i == s.Limit && s.Limit > 0 {
			fmt.Fprintf(&b, "\n%d more; --limit 0 shows all\n", len(all)-i)
			break
		}
		m.write(&b)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// selected parses the selected wrong answers of a result.
func selected(r *eval.Result, s Selection) ([]mistake, error) {
	var all []mistake
	for _, x := range r.Mistakes {
		if s.By != "" && x.By != s.By || s.Program != "" && x.Program != s.Program || s.Measure != "" && x.Measure != s.Measure {
			continue
		}
		m := mistake{Mistake: x}
		var err error
		if m.at, m.action, err = x.Asked(r.Programs[x.Program]); err == nil {
			m.answer, m.truth, m.verdicts, err = x.Replies(m.at, m.action)
		}
		if err != nil {
			return nil, fmt.Errorf("the wrong answer about %s at %d of %s cannot be read: %w", x.Measure, x.At, x.Program, err)
		}
		if s.Event == "" || m.truth != nil && eval.EventOf(*m.truth) == s.Event {
			all = append(all, m)
		}
	}
	return all, nil
}

// wrongAbout returns a table that counts mistakes by their first wrong part.
func wrongAbout(all []mistake) Table {
	counts := map[string]int{}
	for _, m := range all {
		counts[m.about()]++
	}
	t := Table{Title: "Wrong answers by their first wrong part", Head: []string{"", "n"}}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	for _, name := range names {
		t.Rows = append(t.Rows, []string{name, fmt.Sprint(counts[name])})
	}
	return t
}

// about returns the name of the first wrong part of an answer.
func (m *mistake) about() string {
	if m.answer == nil {
		return "no state"
	}
	if first, ok := m.verdicts.First(); ok {
		return first.Field.String()
	}
	return m.Measure
}

// write writes one mistake as text.
func (m *mistake) write(b *strings.Builder) {
	by := m.By
	if m.Computed {
		by += ", computed"
	}
	fmt.Fprintf(b, "\n%s  %s at %d  (%s)\n", escape.Line(m.Program), escape.Line(m.Measure), m.At, escape.Line(by))
	now := m.at.Current()
	m.source(b, now)
	row := func(label, text string) { fmt.Fprintf(b, "  %-7s %s\n", label, escape.Line(text)) }
	if now != nil {
		row("before", words(now, nil))
	}
	if m.Measure == eval.MeasureRollout || m.Measure == eval.MeasureOutput || m.Measure == eval.MeasureInput {
		row("move", m.action.String())
	}
	if m.answer != nil {
		row("answer", replyWords(m.answer, now))
	} else {
		row("answer", fmt.Sprintf("%q", m.Raw))
	}
	if m.truth != nil {
		row("truth", replyWords(m.truth, now))
	} else {
		row("truth", m.Value)
	}
	for _, v := range m.verdicts {
		if v.Kind.Wrong() {
			row("wrong", v.String())
		}
	}
}

// around is the number of lines of source that are shown before and after the current line.
const around = 2

// source writes the current line of a state, with the lines around it.
func (m *mistake) source(b *strings.Builder, now *dsl.Stop) {
	if now == nil {
		return
	}
	for _, f := range m.at.Program().Files {
		if len(m.at.Program().Files) > 1 && f.Name != now.File {
			continue
		}
		for line := max(now.Line-around, 1); line <= min(now.Line+around, len(f.Lines)); line++ {
			arrow := "  "
			if line == now.Line {
				arrow = "->"
			}
			fmt.Fprintf(b, "  %s %4d  %s\n", arrow, line, escape.Line(f.Lines[line-1]))
		}
	}
}

// replyWords describes a reply in words. It shows only those locals that differ from the state before.
func replyWords(r *dsl.Reply, before *dsl.Stop) string {
	switch {
	case r.Stop != nil:
		return words(r.Stop, before)
	case r.Exit != nil && r.Exit.Exception != nil:
		return "end: " + *r.Exit.Exception
	}
	return r.Outcome.String()
}

// words describes a state in words: the position, the value and the locals. If before is a state of the
// same activation, words omits the locals that did not change.
func words(s, before *dsl.Stop) string {
	old := map[string]string{}
	if before != nil && len(before.Stack) == len(s.Stack) && before.Function == s.Function {
		for _, l := range before.Locals {
			old[l.Name] = l.Value
		}
	}
	text := fmt.Sprintf("line %d of %s", s.Line, s.Function)
	if s.Event != dsl.Line {
		text = s.Event.String() + ", " + text
	}
	if s.Value != nil {
		text += ": " + *s.Value
	}
	separator := "; "
	for _, l := range s.Locals {
		if value, there := old[l.Name]; l.Hidden || there && value == l.Value {
			continue
		}
		text += separator + l.Name + " = " + l.Value
		separator = ", "
	}
	return text
}
