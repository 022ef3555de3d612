package session

import (
	"context"
	"testing"
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
	if len(few) != 4 || next != f.tree.Len() || !few[0].Shown || !few[3].Breakpoint {
		t.Errorf("%+v", few)
	}
	for e := range f.tree.Len() {
		if i := spanOf(few, e); e < few[i].First || e > few[i].Last {
			t.Errorf("event %d is said to lie in %+v", e, few[i])
		}
	}
	if got := s.Timeline(0); got != nil {
		t.Errorf("no columns: %+v", got)
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
	do(s, "s")
	do(s, "s")
	do(s, "s")
	if v = s.View(); v.History[v.Shown].Command != "s" || len(v.History) != 6 {
		t.Errorf("history: %+v, shown %d", v.History, v.Shown)
	}
	do(s, "c 9")
	if v = s.View(); v.State != nil || v.Selected != -1 || v.Exit == nil || !v.Place.End {
		t.Errorf("the end: %+v", v)
	}
}
