package candidates

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// at returns a candidate at a line of f with some locals, name and value in turn. A value "?" is
// unknown.
func at(line int, locals ...string) backend.Candidate {
	s := &dsl.Stop{State: dsl.State{Event: dsl.Line, Line: line, Source: "    a = b", Function: "f"}}
	for i := 0; i < len(locals); i += 2 {
		l := dsl.Local{Name: locals[i], Value: locals[i+1]}
		if l.Value == "?" {
			l.Value, l.Unknown = "", true
		}
		s.Locals = append(s.Locals, l)
	}
	return backend.Candidate{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: s}, Drawn: 1}
}

// TestTabulate checks the rows of the table: which fields they have, what differs from the shown
// candidate, and what is there in place of a missing value.
func TestTabulate(t *testing.T) {
	start := backend.Candidate{Reply: dsl.Reply{Outcome: dsl.AtStart}}
	returns := at(4, "a", "1")
	three := "3"
	returns.Reply.Stop.Event, returns.Reply.Stop.Kind, returns.Reply.Stop.Value = dsl.Return, dsl.Returned, &three
	other := at(3, "a", "1")
	other.Reply.Stop.Function = "g"
	for name, c := range map[string]struct {
		list  []backend.Candidate
		shown int
		want  string
	}{
		"values":       {[]backend.Candidate{at(3, "a", "1"), at(3, "a", "2")}, 0, "at: 3  a = b, 3  a = b; a: 1, ≠2"},
		"by the rules": {[]backend.Candidate{at(3, "a", "<A at 0x1>"), at(3, "a", "<A at 0x2>")}, 0, "at: 3  a = b, 3  a = b; a: <A at 0x1>, <A at 0x2>"},
		"names":        {[]backend.Candidate{at(3, "c", "1"), at(3, "a", "1")}, 1, "at: 3  a = b, 3  a = b; a: ≠not there, 1; c: ≠1, not there"},
		"unknown":      {[]backend.Candidate{at(3, "a", "?"), at(3, "a", "1")}, 0, "at: 3  a = b, 3  a = b; a: unknown, 1"},
		"places":       {[]backend.Candidate{at(3, "a", "1"), at(2, "a", "1")}, 0, "at: 3  a = b, ≠2  a = b; a: 1, 1"},
		"the start":    {[]backend.Candidate{at(3, "a", "1"), start}, 0, "at: 3  a = b, ≠start; a: 1, not there"},
		"a return":     {[]backend.Candidate{returns, at(4, "a", "1")}, 0, "at: return 4  a = b, ≠4  a = b; a: 1, 1; value: 3, ≠not there"},
		"functions":    {[]backend.Candidate{at(3, "a", "1"), other}, 0, "at: 3  a = b, 3  a = b; a: 1, 1; function: f, ≠g"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range tabulate(&backend.Candidates{List: c.list}, c.shown).rows {
				var cells []string
				for _, one := range r.cells {
					cells = append(cells, map[bool]string{true: "≠"}[one.differs]+one.text())
				}
				got = append(got, r.label+": "+strings.Join(cells, ", "))
			}
			if got := strings.Join(got, "; "); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// shows returns a pane that shows a candidate of a list, and its text at a size.
func shows(t *testing.T, of *backend.Candidates, shown int) (p *Pane, text func(w, h int) string) {
	t.Helper()
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	p = New(&pane.Screen{Theme: theme, View: &session.View{Candidates: of, Candidate: shown}})
	p.Stopped()
	return p, func(w, h int) string {
		canvas := draw.NewCanvas(w, h, draw.Runes)
		p.Draw(canvas.Sub(draw.Rect{W: w, H: h}), true)
		return ansi.Strip(canvas.Render())
	}
}

// TestLongValues checks that long values that begin alike are cut to where they differ.
func TestLongValues(t *testing.T) {
	long := "'" + strings.Repeat("word ", 30)
	p, text := shows(t, &backend.Candidates{List: []backend.Candidate{at(3, "a", long+"left'"), at(3, "a", long+"right'")}, Answers: 2}, 0)
	rows := text(80, 10)
	for _, want := range []string{"left'", "right'"} {
		if !strings.Contains(rows, want) {
			t.Errorf("%q is not in\n%s", want, rows)
		}
	}
	if p.Act("down"); p.Cursor != 1 {
		t.Errorf("the cursor is on row %d", p.Cursor)
	}
}

// TestPredictedVerdict checks that a verdict that a model predicts looks different from one of the text.
func TestPredictedVerdict(t *testing.T) {
	list := []backend.Candidate{at(3, "a", "1"), at(3, "a", "2")}
	list[0].Verification = backend.Verification{Verdict: backend.LeadsHere, By: backend.ByText}
	list[1].Verification = backend.Verification{Verdict: backend.LeadsHere, By: backend.ByModel}
	_, text := shows(t, &backend.Candidates{List: list, Answers: 2}, 0)
	rows := text(80, 10)
	for _, want := range []string{"✓ leads here · text", "≈ may lead here · model"} {
		if !strings.Contains(rows, want) {
			t.Errorf("%q is not in\n%s", want, rows)
		}
	}
}

// TestVisibleColumns checks which candidates are visible as one selects them: always the selected and
// the shown one.
func TestVisibleColumns(t *testing.T) {
	of := &backend.Candidates{Answers: 9}
	for i := range 9 {
		of.List = append(of.List, at(3, "a", fmt.Sprint(i)))
	}
	p, text := shows(t, of, 3)
	var got []string
	for _, action := range append([]string{""}, strings.Fields("left left left left right right right right right right right right right")...) {
		p.Act(action)
		text(80, 10)
		got = append(got, fmt.Sprint(p.selected, p.columns.at))
	}
	want := "3[2 3] 2[2 3] 1[1 3] 0[0 3] 0[0 3] 1[1 3] 2[2 3] 3[2 3] 4[3 4] 5[3 5] 6[3 6] 7[3 7] 8[3 8] 8[3 8]"
	if got := strings.ReplaceAll(strings.Join(got, " "), " [", "["); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
