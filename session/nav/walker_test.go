package nav

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// prog is the program of the tests. Its run is over:
//
//	 0 <module> line 1
//	 1 <module> line 5     and at 7, 13 and 19
//	 2 <module> line 6     i = 0, at 8 i = 1, at 14 i = 2
//	 3 f call   line 1
//	 4 f line   line 2
//	 5 f line   line 3
//	 6 f return line 3
//	 …
//	20 <module> line 7
//	21 <module> return line 7
const prog = `def f(x):
    y = x + 1
    return y

for i in range(3):
    f(i)
print(i)
`

func tree() *statetree.Tree {
	t := statetree.New()
	t.Batch(func() {
		t.AddFile(statetree.File{Path: "/src/prog.py", Name: "prog.py", Source: []byte(prog)})
		t.AddCode(statetree.Code{Name: "<module>", QualName: "<module>", FirstLine: 1, LastLine: 7})
		t.AddCode(statetree.Code{Name: "f", QualName: "f", FirstLine: 1, LastLine: 3, Names: []string{"x", "y"}, Args: 1, Fast: true})
		t.Enter(0)
		t.Event(dsl.Line, 1, 0, nil)
		slot := -1
		for i := range 3 {
			text := []byte(strconv.Itoa(i))
			t.Event(dsl.Line, 5, 0, nil)
			if i == 0 {
				slot = t.AddName(0, "i")
			}
			t.Set(slot, text, false)
			if i == 0 {
				t.Order([]int{slot})
			}
			t.Event(dsl.Line, 6, 0, nil)
			t.Enter(1)
			t.Set(0, text, false)
			t.Event(dsl.Call, 1, 0, nil)
			t.Event(dsl.Line, 2, 0, nil)
			t.Set(1, []byte(strconv.Itoa(i+1)), false)
			t.Event(dsl.Line, 3, 0, nil)
			t.Event(dsl.Return, 3, dsl.Returned, []byte(strconv.Itoa(i+1)))
		}
		t.Event(dsl.Line, 5, 0, nil)
		t.Event(dsl.Line, 7, 0, nil)
		t.Event(dsl.Return, 7, dsl.Returned, []byte("None"))
		t.Finish()
	})
	return t
}

// desk is a Host whose user interrupts after a given number of moves.
type desk struct {
	made    int
	stopAt  int
	notices []string
}

func (d *desk) Begin()            {}
func (d *desk) Making(dsl.Action) { d.made++ }
func (d *desk) Run(ctx context.Context, move func(context.Context) (trace.Landing, error)) (trace.Landing, error) {
	return move(ctx)
}
func (d *desk) Landed(trace.Position) {}
func (d *desk) Stopping() bool        { return d.stopAt > 0 && d.made >= d.stopAt }
func (d *desk) Notice(format string, a ...any) {
	d.notices = append(d.notices, fmt.Sprintf(format, a...))
}
func (d *desk) Key(command string) string { return command }
func (d *desk) Reply(journal.Reply)       {}
func (d *desk) Replaying() *Replies       { return nil }

// over is a recording of a program that has ended.
type over struct {
	Recording
	tree *statetree.Tree
}

func (r over) Tree() *statetree.Tree    { return r.tree }
func (r over) LiveEdge() trace.Position { return trace.Position{Event: r.tree.Len() - 1, End: true} }
func (r over) Exit() *dsl.Exit          { return &dsl.Exit{} }

func (r over) Move(_ context.Context, from trace.Position, a dsl.Action, _ ...trace.Stop) (trace.Landing, error) {
	at := from.Event
	if from.End {
		at = r.tree.Len()
	}
	switch out := r.tree.Land(at, a); out.Boundary {
	case statetree.AtStart:
		return trace.Landing{Position: from, Boundary: trace.AtStart}, nil
	case statetree.AtEnd:
		l := trace.Landing{Position: r.LiveEdge(), Reason: trace.Ended, Horizon: r.tree.Len() - 1 - from.Event}
		if a.Move != dsl.Continue {
			l.Boundary = trace.AtEnd
		}
		return l, nil
	default:
		return trace.Landing{Position: trace.Position{Event: out.Event}, Horizon: max(out.Event-at, at-out.Event)}, nil
	}
}

// single gives the same answers as a recording, but one action at a time, like a model.
type single struct{ *Recorded }

func (s single) Pass(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	if free(a.Move) {
		return singly(ctx, s, from, a, stops)
	}
	return made(ctx, s, from, a)
}

// recordedAndSingle returns walkers over the same run, and their tables.
func recordedAndSingle(d *desk, breakpoints ...breakpoint.Breakpoint) []*Walker {
	var out []*Walker
	for _, byOne := range []bool{false, true} {
		r := NewRecorded(&Base{Host: d}, nil)
		r.rec = over{tree: tree()}
		var src Source = r
		if byOne {
			src = single{r}
		}
		table := &breakpoint.Table{}
		for _, b := range breakpoints {
			b.File, b.Enabled = "/src/prog.py", true
			table.Add(&b)
		}
		out = append(out, New(src, d, table))
	}
	return out
}

// told describes a passage in one line, with the hits of the table's breakpoints.
func told(p *Passage, err error, w *Walker) string {
	if err != nil {
		return err.Error()
	}
	text := strconv.Itoa(p.Event)
	if p.End {
		text = "end"
	}
	if p.Hit != nil {
		text += fmt.Sprintf(" hit %d", p.Hit.Number)
	}
	if p.Raised {
		text += " raised"
	}
	if p.Boundary != trace.NoBoundary {
		text += fmt.Sprintf(" boundary %d", p.Boundary)
	}
	if p.Reason == trace.Interrupted {
		text += " interrupted"
	}
	for _, b := range w.table.List {
		b.CountAll()
		text += fmt.Sprintf(", %d crossed %d", b.Number, b.Hits)
	}
	return text
}

// TestOneWalker checks that continue and until stop and count the same in a recording,
// which is searched, as with a source that makes single actions.
func TestOneWalker(t *testing.T) {
	at := func(event int) trace.Position { return trace.Position{Event: event} }
	end := trace.Position{Event: 21, End: true}
	module := Goal{Line: 7}
	for _, tt := range []struct {
		name        string
		breakpoints []breakpoint.Breakpoint
		walk        func(context.Context, *Walker) (*Passage, error)
		want        string
	}{
		{
			"a line",
			[]breakpoint.Breakpoint{{Line: 2}},
			func(ctx context.Context, w *Walker) (*Passage, error) { return w.Continue(ctx, at(0), dsl.Continue) },
			"4 hit 1, 1 crossed 1",
		},
		{
			"a count",
			[]breakpoint.Breakpoint{{Line: 2, Ignore: 2}},
			func(ctx context.Context, w *Walker) (*Passage, error) { return w.Continue(ctx, at(0), dsl.Continue) },
			"16 hit 1, 1 crossed 3",
		},
		{
			"a condition",
			[]breakpoint.Breakpoint{{Line: 6, Condition: "i == 1"}},
			func(ctx context.Context, w *Walker) (*Passage, error) { return w.Continue(ctx, at(0), dsl.Continue) },
			"8 hit 1, 1 crossed 2",
		},
		{
			"backwards",
			[]breakpoint.Breakpoint{{Line: 3}, {Line: 5, Condition: "i == 0"}},
			func(ctx context.Context, w *Walker) (*Passage, error) { return w.Continue(ctx, end, dsl.InvContinue) },
			"17 hit 1, 1 crossed 1, 2 crossed 1",
		},
		{
			"another function's",
			[]breakpoint.Breakpoint{{Line: 2, Function: "g"}, {Line: 3, Function: "f"}},
			func(ctx context.Context, w *Walker) (*Passage, error) { return w.Continue(ctx, at(0), dsl.Continue) },
			"5 hit 2, 1 crossed 0, 2 crossed 1",
		},
		{
			"none", nil,
			func(ctx context.Context, w *Walker) (*Passage, error) { return w.Continue(ctx, at(4), dsl.Continue) },
			"end",
		},
		{
			"none, backwards", nil,
			func(ctx context.Context, w *Walker) (*Passage, error) { return w.Continue(ctx, at(4), dsl.InvContinue) },
			"0",
		},
		{
			"until", nil,
			func(ctx context.Context, w *Walker) (*Passage, error) { return w.Until(ctx, at(1), module) },
			"20",
		},
		{
			"until, stopped on a line",
			[]breakpoint.Breakpoint{{Line: 6, Ignore: 1}},
			func(ctx context.Context, w *Walker) (*Passage, error) { return w.Until(ctx, at(1), module) },
			"8 hit 1, 1 crossed 2",
		},
		{
			"until, backwards", nil,
			func(ctx context.Context, w *Walker) (*Passage, error) {
				return w.Until(ctx, at(20), Goal{Line: 1, Inverse: true})
			},
			"0",
		},
		{
			"repeated", nil,
			func(ctx context.Context, w *Walker) (*Passage, error) {
				return w.Steps(ctx, at(0), dsl.StepInto, Times(5))
			},
			"5",
		},
		{
			"out", nil,
			func(ctx context.Context, w *Walker) (*Passage, error) {
				return w.Steps(ctx, at(4), dsl.StepReturn, w.Out(0))
			},
			"7",
		},
	} {
		for i, w := range recordedAndSingle(&desk{}, tt.breakpoints...) {
			p, err := tt.walk(t.Context(), w)
			if got := told(p, err, w); got != tt.want {
				t.Errorf("%s, %s: %s, want %s", tt.name, []string{"recorded", "by one"}[i], got, tt.want)
			}
		}
	}
}

// TestConditionRaises checks that a condition that cannot be evaluated stops, reports the
// reason, and does not use up a count.
func TestConditionRaises(t *testing.T) {
	d := &desk{}
	for _, w := range recordedAndSingle(d, breakpoint.Breakpoint{Line: 2, Condition: "nowhere > 1", Ignore: 3}) {
		p, err := w.Continue(t.Context(), trace.Position{}, dsl.Continue)
		if got := told(p, err, w); got != "4 hit 1 raised, 1 crossed 1" || w.table.List[0].Ignore != 3 {
			t.Errorf("%s, to be ignored: %d", got, w.table.List[0].Ignore)
		}
	}
	if len(d.notices) != 2 || !strings.Contains(d.notices[1], "nowhere > 1 of breakpoint 1 stops here") {
		t.Errorf("%q", d.notices)
	}
}

// TestNoneIsSatisfied checks backward moves past breakpoints with false conditions: a
// recording stays where it is, while a model has shown the way to the first of them.
func TestNoneIsSatisfied(t *testing.T) {
	for i, w := range recordedAndSingle(&desk{}, breakpoint.Breakpoint{Line: 6, Condition: "i == 7"}) {
		p, err := w.Continue(t.Context(), trace.Position{Event: 20}, dsl.InvContinue)
		want := []string{"20 boundary 1, 1 crossed 3", "2 boundary 1, 1 crossed 3"}[i]
		if got := told(p, err, w); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestInterruptedWalk checks that an interrupted command ends at the position it has
// reached.
func TestInterruptedWalk(t *testing.T) {
	w := recordedAndSingle(&desk{stopAt: 3})[1]
	if p, err := w.Steps(t.Context(), trace.Position{}, dsl.StepInto, Times(10)); told(p, err, w) != "3 interrupted" {
		t.Error(told(p, err, w))
	}
	w = recordedAndSingle(&desk{stopAt: 2}, breakpoint.Breakpoint{Line: 2, Ignore: 9})[1]
	if p, err := w.Continue(t.Context(), trace.Position{}, dsl.Continue); told(p, err, w) != "10 interrupted, 1 crossed 2" {
		t.Error(told(p, err, w))
	}
}

// failing answers a number of moves, and then fails.
type failing struct {
	single
	left int
}

func (f *failing) Move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	if f.left--; f.left < 0 {
		return trace.Landing{}, errorf(EndpointFailed, "gone")
	}
	return f.single.Move(ctx, from, a)
}

func (f *failing) Pass(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	if free(a.Move) {
		return singly(ctx, f, from, a, stops)
	}
	return made(ctx, f, from, a)
}

// TestFailsOnTheWay checks that a command whose source fails on the way stays at the
// position it has reached; if the source fails at once, it does not move.
func TestFailsOnTheWay(t *testing.T) {
	for _, tt := range []struct {
		moves int
		walk  func(context.Context, *Walker) (*Passage, error)
		want  int // -1 for no move
	}{
		{2, func(ctx context.Context, w *Walker) (*Passage, error) {
			return w.Steps(ctx, trace.Position{}, dsl.StepInto, Times(5))
		}, 2},
		{0, func(ctx context.Context, w *Walker) (*Passage, error) {
			return w.Steps(ctx, trace.Position{}, dsl.StepInto, Times(5))
		}, -1},
		{1, func(ctx context.Context, w *Walker) (*Passage, error) {
			return w.Continue(ctx, trace.Position{}, dsl.Continue)
		}, 4},
		{0, func(ctx context.Context, w *Walker) (*Passage, error) {
			return w.Continue(ctx, trace.Position{}, dsl.Continue)
		}, -1},
		{2, func(ctx context.Context, w *Walker) (*Passage, error) {
			return w.Until(ctx, trace.Position{}, Goal{Line: 7})
		}, 2},
		{0, func(ctx context.Context, w *Walker) (*Passage, error) {
			return w.Until(ctx, trace.Position{}, Goal{Line: 7})
		}, -1},
	} {
		w := recordedAndSingle(&desk{}, breakpoint.Breakpoint{Line: 2, Ignore: 9})[1]
		w.Source = &failing{w.Source.(single), tt.moves}
		p, err := tt.walk(t.Context(), w)
		at := -1
		if p != nil {
			at = p.Event
		}
		if at != tt.want || err == nil {
			t.Errorf("%d, %v, want %d and an error", at, err, tt.want)
		}
	}
}
