package compare

import (
	"slices"
	"strconv"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
)

// replies returns the replies of the vectors' walks, which CPython made.
func replies(t *testing.T) []dsl.Reply {
	t.Helper()
	var list []dsl.Reply
	for _, v := range vectors.All() {
		last, _, err := dsl.ND1.Read(v.Wire)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range last.Trajectory().Steps {
			list = append(list, s.Reply)
		}
	}
	return list
}

// near returns texts that are similar to a value's.
func near(text string) []string {
	wrong := []string{text + "0", "None", "[" + text + "]"}
	if n, err := strconv.Atoi(text); err == nil {
		wrong = append(wrong, strconv.Itoa(n+1), strconv.Itoa(n-1), strconv.Itoa(n)+".0")
	}
	if last := len(text) - 1; last > 0 {
		switch text[last] {
		case '\'', '"':
			wrong = append(wrong, text[:last]+"a"+text[last:])
		case ']', ')', '}':
			wrong = append(wrong, text[:last]+", 0"+text[last:])
		}
	}
	return slices.DeleteFunc(wrong, func(w string) bool { return w == text })
}

// TestRecorded checks that a real state equals itself, and that each changed field is
// reported.
func TestRecorded(t *testing.T) {
	changed := 0
	for _, real := range replies(t) {
		if v := Compare(real, real, All()); !v.Same() || v.Count() != 0 {
			t.Fatalf("is not like itself: %+v", v)
		}
		only := func(predicted dsl.Reply, want Verdict) {
			t.Helper()
			changed++
			v := Compare(predicted, real, All())
			first, _ := v.First()
			if v.Count() != 1 || first.Field != want.Field || first.Name != want.Name || first.Kind != want.Kind {
				t.Fatalf("want %s %s %s, got\n%s", want.Field, want.Name, want.Kind, lines(v))
			}
			if back, _ := Compare(real, predicted, All()).First(); back.Field != want.Field && predicted.Outcome != dsl.Unknown {
				t.Fatalf("turned: %+v", back)
			}
		}
		if real.Outcome != dsl.Landed {
			continue
		}
		with := func(change func(*dsl.Stop)) dsl.Reply {
			stop := *real.Stop
			stop.Locals, stop.Stack = slices.Clone(stop.Locals), slices.Clone(stop.Stack)
			change(&stop)
			return dsl.Reply{Outcome: dsl.Landed, Stop: &stop}
		}
		only(dsl.Reply{Outcome: dsl.AtStart}, Verdict{Field: Outcome, Kind: Differs})
		only(dsl.Reply{Outcome: dsl.Unknown}, Verdict{Field: Outcome, Kind: Missing})
		only(with(func(s *dsl.Stop) { s.Line++; s.Stack[len(s.Stack)-1].Line++ }), Verdict{Field: Line, Kind: Differs})
		only(with(func(s *dsl.Stop) { s.Function += "_"; s.Stack[len(s.Stack)-1].Function += "_" }), Verdict{Field: Function, Kind: Differs})
		only(with(func(s *dsl.Stop) { s.Stack = slices.Insert(s.Stack, 0, dsl.Frame{Function: "<module>"}) }), Verdict{Field: Stack, Kind: Differs})
		only(with(func(s *dsl.Stop) { s.Locals = append(s.Locals, dsl.Local{Name: "tmp__", Value: "1"}) }), Verdict{Field: Local, Name: "tmp__", Kind: Extra})
		for i, l := range real.Stop.Locals {
			only(with(func(s *dsl.Stop) { s.Locals = slices.Delete(s.Locals, i, i+1) }), Verdict{Field: Local, Name: l.Name, Kind: Missing})
			for _, text := range near(l.Value) {
				only(with(func(s *dsl.Stop) { s.Locals[i].Value = text }), Verdict{Field: Local, Name: l.Name, Kind: Differs})
			}
		}
		if real.Stop.Value != nil {
			for _, text := range near(*real.Stop.Value) {
				only(with(func(s *dsl.Stop) { s.Value = &text }), Verdict{Field: Value, Kind: Differs})
			}
		}
	}
	if changed < 2000 {
		t.Errorf("only %d changes were tried", changed)
	}
}
