package session_test

import (
	"context"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

func TestTimeline(t *testing.T) {
	f := newFake(t)
	s := open(t, f)
	s.First(context.Background())
	do(s, "b 3")
	for range 3 {
		do(s, "c")
	}
	do(s, "s")
	spans := s.Timeline(1000)
	if n := f.tree.Len(); len(spans) != n || spans[n-1].Last != n-1 {
		t.Fatalf("%d spans of %d events: %+v", len(spans), n, spans)
	}
	for i, span := range spans {
		at := f.tree.At(i)
		if span.First != i || span.Last != i || span.Depth != at.Depth || span.Breakpoint != (at.Line == 3 && at.Event.String() == "line") {
			t.Errorf("span %d: %+v of %+v", i, span, at)
		}
	}
	few := s.Timeline(4)
	next := 0
	for _, span := range few {
		if span.First != next || span.Last < span.First {
			t.Errorf("spans do not follow: %+v", few)
		}
		next = span.Last + 1
	}
	if len(few) != 3 || next != f.tree.Len() || !few[0].Shown || !few[2].Breakpoint {
		t.Errorf("%+v", few)
	}
	for e := range f.tree.Len() {
		if i := session.SpanOf(few, e); e < few[i].First || e > few[i].Last {
			t.Errorf("event %d is said to lie in %+v", e, few[i])
		}
	}
	if got := s.Timeline(0); got != nil {
		t.Errorf("no columns: %+v", got)
	}
}

// TestTimelineShowsHoles checks that a hole is in the cell that begins after it, and in no
// other.
func TestTimelineShowsHoles(t *testing.T) {
	f := newFake(t)
	s := open(t, f)
	s.First(context.Background())
	do(s, "s 2")
	f.tree.Batch(func() { f.tree.Hole([]uint32{0}, []int{6}) })
	do(s, "s 4")
	for i, span := range s.Timeline(1000) {
		if span.Hole != (i == 3) {
			t.Errorf("event %d: %+v", i, span)
		}
	}
}

// TestTimelineKeepsItsScale checks that the size of a cell stays the same during a run
// until there are too many cells; then two become one.
func TestTimelineKeepsItsScale(t *testing.T) {
	for _, columns := range []int{1, 2, 7, 80, 200} {
		was := session.Cut(1, columns)
		for n := 2; n < 2000; n++ {
			now := session.Cut(n, columns)
			if len(now) > columns || len(now) <= columns/2 && n >= columns || now[0].First != 0 || now[len(now)-1].Last != n-1 {
				t.Fatalf("%d events in %d columns: %+v", n, columns, now)
			}
			if per := was[0].Last + 1; len(was) == 1 || now[0].Last+1 == per {
				for i, s := range was[:len(was)-1] {
					if now[i] != s {
						t.Fatalf("%d events in %d columns: %d was %+v, is %+v", n, columns, i, s, now[i])
					}
				}
			} else {
				for i := range len(now) - 1 {
					if now[i].First != was[2*i].First || now[i].Last != was[2*i+1].Last {
						t.Fatalf("%d events in %d columns: %+v and %+v are now %+v", n, columns, was[2*i], was[2*i+1], now[i])
					}
				}
			}
			was = now
		}
	}
}

func TestView(t *testing.T) {
	f := newFake(t)
	s := open(t, f)
	s.First(context.Background())
	do(s, "b 3")
	do(s, "c")
	v := s.View()
	if v.State == nil || v.State.Line != 3 || v.Selected != 1 || v.Frames[1].Path != fakePath || len(v.Breakpoints) != 1 || v.Place.Live != v.Place.Event {
		t.Fatalf("%+v", v)
	}
	do(s, "c")
	v = s.View()
	if len(v.Locals) != 2 || v.Locals[0].Was != nil {
		t.Errorf("another activation's values are taken for what these were: %+v", v.Locals)
	}
	do(s, "u")
	if v = s.View(); v.Selected != 0 || v.Locals[0].Name != "i" || v.Locals[0].Was == nil || *v.Locals[0].Was != "0" {
		t.Errorf("up: %+v", v.Locals)
	}
	do(s, "step")
	do(s, "step")
	do(s, "step")
	if v = s.View(); v.History[v.Shown].Command != "step" || len(v.History) != 6 {
		t.Errorf("history: %+v, shown %d", v.History, v.Shown)
	}
	do(s, "c 9")
	if v = s.View(); v.State != nil || v.Selected != -1 || v.Exit == nil || !v.Place.End {
		t.Errorf("the end: %+v", v)
	}
}

// TestPredictedTimelineExceptions checks that in neural mode an exception is marked where
// it is raised, not where it leaves a frame that was stepped out of before.
func TestPredictedTimelineExceptions(t *testing.T) {
	s := neural(t, &scripted{replies: []string{
		atCall, inF, atY,
		`<|exception_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|arg_sep|>\"KeyError(1)\"<|frame_sep|>",
		`<|return_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|arg_sep|>null<|frame_sep|>",
		`<|exception_sep|>{}<|action_sep|>5|a = f(2)` + "\n<|arg_sep|>\"KeyError(1)\"<|frame_sep|>",
	}}, trace.Options{})
	s.First(context.Background())
	for range 6 {
		do(s, "s")
	}
	for i, span := range s.Timeline(10) {
		if span.Exception != (i == 4) {
			t.Errorf("state %d: %+v", i, span)
		}
	}
}

// TestTimelineOfPredictions checks that in neural mode the timeline shows the visited
// states, marks the lines of enabled breakpoints, and that the end has no depth.
func TestTimelineOfPredictions(t *testing.T) {
	s := neural(t, &scripted{replies: []string{atCall, inF, atY, itEnds}}, trace.Options{})
	s.First(t.Context())
	run(s, "s", "s", "s", "b 2", "b 5", "disable 2", "c")
	spans := s.Timeline(10)
	if len(spans) != 5 {
		t.Fatalf("%+v", spans)
	}
	for i, depth := range []int{0, 0, 1, 1, 0} {
		if at := spans[i]; at.Depth != depth || !at.Shown || at.Breakpoint != (i == 3) || at.Exception || at.Hole {
			t.Errorf("%d: %+v", i, at)
		}
	}
	if two := s.Timeline(2); len(two) != 2 || !two[0].Breakpoint || two[1].Breakpoint || two[0].Depth != 0 {
		t.Errorf("%+v", two)
	}
}

// TestTimelineOfARecording checks that the timeline marks where an exception is raised,
// but not the frames that it passes, unrecorded parts, and shown states.
func TestTimelineOfARecording(t *testing.T) {
	s := written(t, "def f():\n    raise KeyError\ntry:\n    f()\nexcept KeyError:\n    pass\na = 1\nb = 2\n")
	run(s, "b 7", "c")
	raised := 0
	for _, span := range s.Timeline(1000) {
		if span.Exception {
			raised++
			if span.Depth != 1 {
				t.Errorf("%+v", span)
			}
		}
		if span.Hole {
			t.Errorf("nothing is left out: %+v", span)
		}
	}
	if raised != 1 {
		t.Errorf("%d exceptions are marked", raised)
	}
	if all := s.Timeline(1); len(all) != 1 || !all[0].Exception || !all[0].Shown || !all[0].Breakpoint {
		t.Errorf("%+v", all)
	}
	edge := s.Position().Event
	run(s, "fc")
	spans := s.Timeline(1000)
	for i, span := range spans {
		if span.Hole != (i == len(spans)-1) || span.Shown != (i == 0 || i == edge) {
			t.Errorf("%d: %+v", i, span)
		}
	}
}
