package eval

import (
	"bytes"
	"reflect"
	"testing"
)

func result(items ...Item) *Result {
	return &Result{Version: version, Task: TaskStates, Model: "m", N: 1, Complete: true, Items: items}
}

func TestCompare(t *testing.T) {
	at := func(program, measure string, at int, right float64) Item {
		return Item{Program: program, Measure: measure, At: at, Right: right, Of: 1}
	}
	a := result(at("p", "step_into", 0, 1), at("p", "step_into", 1, 0), at("q", "step_into", 0, 0), at("q", "inv_step_over", 3, 1), at("p", MeasureRollout, 0, 4), at("p", "step_over", 9, 1))
	b := result(at("p", "step_into", 0, 1), at("p", "step_into", 1, 1), at("q", "step_into", 0, 1), at("q", "inv_step_over", 3, 0), at("p", MeasureRollout, 0, 6), at("r", "step_into", 0, 1))
	d, err := Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range d.Rows {
		got = append(got, r.Measure)
	}
	if want := []string{AllForward, AllInverse, "step_into", "inv_step_over", MeasureRollout}; !reflect.DeepEqual(got, want) {
		t.Fatalf("%q", got)
	}
	into := d.Rows[2]
	if into.N != 3 || into.Programs != 2 {
		t.Errorf("%+v", into)
	}
	near(t, "a", into.A, 1./3)
	near(t, "b", into.B, 1)
	near(t, "difference", into.Difference, 2./3)
	// With p alone the difference is 1/2, with q alone it is 1.
	near(t, "low", into.Low, 0.5)
	near(t, "high", into.High, 1)
	near(t, "rollout", d.Rows[4].Difference, 2)
	if d.OnlyA != 1 || d.OnlyB != 1 {
		t.Errorf("%d and %d alone", d.OnlyA, d.OnlyB)
	}
	near(t, "back", mustCompare(t, b, a).Rows[2].Difference, -2./3)
	if same := mustCompare(t, a, a); same.Rows[0].Difference != 0 || same.Rows[0].Low != 0 || same.Rows[0].High != 0 {
		t.Errorf("%+v", same.Rows[0])
	}
	b.Task = TaskInverse
	if _, err := Compare(a, b); err == nil {
		t.Error("two tasks were compared")
	}
}

func mustCompare(t *testing.T, a, b *Result) *Diff {
	t.Helper()
	d, err := Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestResultRoundTrip checks that a result is unchanged after writing and reading.
func TestResultRoundTrip(t *testing.T) {
	r := result(Item{Program: "p", Measure: "output", Right: 2, Of: 5})
	half := 0.5
	r.Output = &Judged{Pass1: &half, N: 3, Baselines: map[string]PassShare{"still": {N: 1}}}
	r.States = []States{{Name: "m", Types: map[string]Share{"int": {2, 1}}, Rollouts: []Rollout{{1, 2}}}}
	var text, again bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	back, err := ReadResult(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Write(&again); err != nil || again.String() != text.String() {
		t.Errorf("%v\n%s\nis not\n%s", err, again.String(), text.String())
	}
}

func TestImpossibleResults(t *testing.T) {
	for _, bad := range []string{
		``, `[]`, `{}`, `{"v": 2, "task": "states"}`, `{"v": 1, "task": "x"}`, `{"v": 1, "task": "states", "n": -1}`,
		`{"v": 1, "task": "states", "items": [{"program": "p", "measure": "step_into", "right": 2, "of": 1}]}`,
		`{"v": 1, "task": "states", "items": [{"program": "p", "measure": "step_into", "right": -1, "of": 1}]}`,
		`{"v": 1, "task": "states", "items": [{"program": "p", "measure": "step_into", "right": 0, "of": 0}]}`,
		`{"v": 1, "task": "states", "items": [{"program": "p", "measure": "", "right": 1, "of": 1}]}`,
		`{"v": 1, "task": "states", "items": [{"measure": "x", "right": 1, "of": 1}, {"measure": "x", "right": 1, "of": 1}]}`,
		`{"v": 1, "task": "states", "states": [{"score": {"v": 9}}]}`,
	} {
		if _, err := ReadResult([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// FuzzResult checks that a text is rejected, or is a result that can be compared and written.
func FuzzResult(f *testing.F) {
	var text bytes.Buffer
	r := result(Item{Program: "p", Measure: "step_into", Right: 1, Of: 1}, Item{Program: "p", Measure: MeasureRollout, Right: 7, Of: 1})
	if err := r.Write(&text); err != nil {
		f.Fatal(err)
	}
	f.Add(text.Bytes())
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := ReadResult(raw)
		if err != nil || len(r.Items) > 5 {
			return
		}
		d, err := Compare(r, r)
		if err != nil || d.OnlyA+d.OnlyB != 0 {
			t.Fatalf("a result beside itself: %+v %v", d, err)
		}
		for _, row := range d.Rows {
			if row.Difference != 0 || row.A != row.B {
				t.Errorf("%+v", row)
			}
		}
		if err := r.Write(&bytes.Buffer{}); err != nil {
			t.Error(err)
		}
	})
}
