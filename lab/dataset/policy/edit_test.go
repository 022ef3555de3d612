package policy

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// TestEditsAreDrawn checks that edits change names with literal values, at line events, to different
// literals, and that many different edits are possible in each recording with such a name.
func TestEditsAreDrawn(t *testing.T) {
	s := Defaults()
	rng := rand.New(rand.NewPCG(1, 2))
	none, some, used, same := 0, 0, 0, 0
	for _, p := range programs(t) {
		r := p.recording()
		s.Edits = 1
		different := map[recorder.Edit]bool{}
		for range 100 {
			e := s.Edit(rng, r)
			if e == nil {
				continue
			}
			different[*e] = true
			some++
			state := r.Tree.State(e.At)
			old := ""
			for _, l := range state.Locals {
				if l.Name == e.Name {
					old = l.Value
				}
			}
			was, ok := readLiteral(old)
			now, is := readLiteral(e.Literal)
			if state.Event != dsl.Line || !ok || !is || old == e.Literal || len(e.Literal) > s.EditChars {
				t.Fatalf("%+v of %s at %s", *e, old, state.Event)
			}
			if was.kind == now.kind {
				same++
			}
			if reads(state.Source, e.Name) {
				used++
			}
		}
		if len(different) > 0 && len(different) < 20 {
			t.Errorf("only %d edits of %.50q", len(different), p.Source)
		}
		s.Edits = 0
		if s.Edit(rng, r) != nil {
			t.Error("an edit that has no probability")
		}
		none++
	}
	if some < 50*none || used < some/2 || used == some || same < some*8/10 {
		t.Errorf("%d edits of %d programs, %d of names that the next line reads, %d of the same kind", some, none, used, same)
	}
	s.Edits = 1
	call := recorded{Source: "x\n", Events: []recordedEvent{{Event: "call", Line: 1, Function: "f", Locals: [][2]string{{"x", "1"}}}}}
	for _, r := range []recorded{{}, call} {
		if e := s.Edit(rng, r.recording()); e != nil {
			t.Error("an edit where there is no line: ", *e)
		}
	}
}

func TestReads(t *testing.T) {
	for _, test := range []struct {
		line, name string
		want       bool
	}{
		{"y = x", "x", true},
		{"f(x, 1)", "x", true},
		{"xx x", "x", true},
		{"a.x", "x", true},
		{"", "x", false},
		{"max = y", "x", false},
		{"f(x1)", "x", false},
		{"f(_x)", "x", false},
		{"f(ax)", "x", false},
		{"f(xz)", "x", false},
		{"f(xA)", "x", false},
		{"f(Zx)", "x", false},
		{"f(x0)", "x", false},
		{"f(9x)", "x", false},
		{"`x{x@x[", "x", true},
		{"x/y", "x", true},
		{"y:x", "x", true},
		{"f(éx)", "x", false},
		{"x = 1", "x", false},
		{"x= x + 1", "x", true},
		{"x == 1", "x", true},
		{"x += 1", "x", true},
		{"x[0] = 1", "x", true},
		{"f(x=1)", "x", false},
		{"for x in y:", "x", false},
		{"for y in x:", "x", true},
		{"[x for x in y]", "x", false},
		{"[y for a, x in y for b in x]", "x", false},
		{"[x for y in z for w in v]", "x", true},
		{"if x in y:", "x", true},
		{"for x", "x", true},
	} {
		if reads(test.line, test.name) != test.want {
			t.Errorf("%q reads %q: want %v", test.line, test.name, test.want)
		}
	}
}

// dies returns a recording of a module that ends with an exception, after a finally clause has run.
func dies() *recorder.Recording {
	raised, two := "E()", 2
	r := recorded{Source: "try:\n    raise E\nfinally:\n    x = 1\n    y = x\n", Code: 1, Exception: &raised, Fatal: &two, Events: []recordedEvent{
		{Event: "line", Line: 1},
		{Event: "line", Line: 2},
		{Event: "exception", Line: 2, Value: &raised},
		{Event: "line", Line: 4},
		{Event: "line", Line: 5, Locals: [][2]string{{"x", "1"}}},
		{Event: "unwind", Line: 5, Locals: [][2]string{{"x", "1"}, {"y", "1"}}},
	}}
	return r.recording()
}

// TestWayToAnEdit checks that a text with an edit begins shortly before the edit, and reaches it without
// passing an end, even if the exception that ends the program was raised before.
func TestWayToAnEdit(t *testing.T) {
	s := Defaults()
	s.EditLead, s.Bytes = 5, 1<<20
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range []*recorder.Recording{loop(20), dies()} {
		for at := range r.Tree.Len() {
			edit := &recorder.Edit{At: at, Name: "x", Literal: "1"}
			for range 20 {
				plan := Draw(rng, s, r)
				begun := s.before(rng, r, edit, plan)
				first := 0
				if len(begun.Start) > 0 {
					first = begun.Start[len(begun.Start)-1]
				}
				if first > at || at-first > s.EditLead || begun.Ask != NoQuestion {
					t.Fatalf("%+v for an edit at %d", begun, at)
				}
				one, err := Write(rng, s, r, r, edit, plan, ND1)
				if err != nil {
					t.Fatal(err)
				}
				if one == nil {
					t.Fatalf("no text with an edit at %d", at)
				}
				way, rest, edited := strings.Cut(one.Text, "<|debug_sep|>set")
				if !edited || strings.Contains(rest, "<|debug_sep|>set") || strings.Contains(way, "<|end_sep|>") {
					t.Fatalf("with an edit at %d:\n%s", at, one.Text)
				}
				if moves := strings.Count(way, "<|debug_sep|>"); moves > at {
					t.Fatalf("%d moves to event %d", moves, at)
				}
			}
		}
	}
}

// TestFullBeforeAnEdit checks that a text that becomes full before its edit belongs to the
// first recording, and ends with a reply.
func TestFullBeforeAnEdit(t *testing.T) {
	r := loop(20)
	s := Defaults()
	s.Room, s.EditLead = 0, 30
	rng := rand.New(rand.NewPCG(1, 2))
	full, edited := 0, 0
	for range 2000 {
		s.Bytes = 300 + rng.IntN(4000)
		edit := &recorder.Edit{At: rng.IntN(60), Name: "x", Literal: "1"}
		one, err := Write(rng, s, r, r, edit, Draw(rng, s, r), ND1)
		if err != nil {
			t.Fatal(err)
		}
		if one == nil {
			continue
		}
		follows(t, one, r, r, edit)
		if _, rest, ok := strings.Cut(one.Text, "<|debug_sep|>set"); !ok {
			full++
		} else if edited++; !strings.Contains(rest, "<|debug_sep|>") {
			t.Fatalf("nothing follows the edit in\n%s", one.Text)
		}
	}
	if full < 100 || edited < 100 {
		t.Errorf("%d texts are full before the edit, %d have it", full, edited)
	}
}

// TestEditsFromElsewhere checks new values from elsewhere in the recording, with the same name or kind.
func TestEditsFromElsewhere(t *testing.T) {
	long := "[" + strings.Repeat("1, ", 30) + "1]"
	r := recorded{Source: "a\nb\nc\n", Events: []recordedEvent{
		{Event: "line", Line: 1, Locals: [][2]string{{"a", "None"}, {"b", "7"}, {"c", "<object>"}}},
		{Event: "line", Line: 2, Locals: [][2]string{{"a", "'x'"}, {"b", "8"}, {"c", long}}},
		{Event: "line", Line: 3, Locals: [][2]string{{"a", "(3,)"}, {"b", "8"}, {"c", "[2]"}, {"d", "9"}}},
	}}.recording()
	s := Defaults()
	s.Edits, s.Other, s.Used = 1, 1, 0
	rng := rand.New(rand.NewPCG(1, 2))
	type edit struct {
		at            int
		name, literal string
	}
	got := map[edit]bool{}
	for range 3000 {
		if e := s.Edit(rng, r); e != nil {
			got[edit{e.At, e.Name, e.Literal}] = true
		}
	}
	want := map[edit]bool{}
	for _, e := range []edit{
		{0, "a", "'x'"},
		{0, "a", "(3,)"},
		{1, "a", "None"},
		{1, "a", "(3,)"},
		{2, "a", "None"},
		{2, "a", "'x'"},
		{0, "b", "8"},
		{0, "b", "9"},
		{1, "b", "7"},
		{1, "b", "9"},
		{2, "b", "7"},
		{2, "b", "9"},
		{2, "d", "7"},
		{2, "d", "8"},
	} {
		want[e] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("edits are\n%v\nwant\n%v", got, want)
	}
}

// TestOtherRecording checks that a second recording is not used if it is not the first one with the
// edit.
func TestOtherRecording(t *testing.T) {
	r := loop(3)
	rng := rand.New(rand.NewPCG(1, 2))
	for what, other := range map[string]*recorder.Recording{
		"shorter": recorded{Source: r.Program.Source, Events: []recordedEvent{{Event: "line", Line: 1}}}.recording(),
		"another": recorded{Source: r.Program.Source, Events: []recordedEvent{{Event: "line", Line: 1}, {Event: "line", Line: 7}, {Event: "line", Line: 6}}}.recording(),
	} {
		if one, err := Write(rng, Defaults(), r, other, &recorder.Edit{At: 2}, Plan{Single: 1}, ND1); err == nil {
			t.Errorf("%s: %+v", what, one)
		}
	}
	for _, at := range []int{-1, r.Tree.Len()} {
		if _, err := Write(rng, Defaults(), r, loop(4), &recorder.Edit{At: at}, Plan{Single: 1}, ND1); err == nil {
			t.Error("an edit nowhere, at ", at)
		}
	}
	// If no recording with the edit could be made, the walk continues in the first recording.
	if one, err := Write(rng, Defaults(), r, nil, &recorder.Edit{At: 2}, Plan{Single: 1}, ND1); err != nil || strings.Contains(one.Text, "set<|frame_sep|>") {
		t.Errorf("%+v, %v", one, err)
	}
}
