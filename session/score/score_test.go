package score

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
)

// state makes verdicts from a line such as "line=differs x=missing value=same". Fields
// that every state has are same by default.
func state(text string) compare.Verdicts {
	said := map[string]compare.Kind{}
	var names []string
	for part := range strings.FieldsSeq(text) {
		name, kind, _ := strings.Cut(part, "=")
		var k compare.Kind
		if err := k.UnmarshalText([]byte(kind)); err != nil {
			panic(err)
		}
		said[name] = k
		names = append(names, name)
	}
	v := compare.Verdicts{{Field: compare.Outcome, Kind: compare.Same}}
	for _, f := range []compare.Field{compare.Event, compare.Line, compare.Function, compare.Stack} {
		kind := compare.Same
		if k, ok := said[f.String()]; ok {
			kind = k
		}
		v = append(v, compare.Verdict{Field: f, Kind: kind})
	}
	for _, name := range names {
		switch name {
		case "event", "line", "function", "stack", "value":
		default:
			v = append(v, compare.Verdict{Field: compare.Local, Name: name, Kind: said[name]})
		}
	}
	if k, ok := said["value"]; ok {
		v = append(v, compare.Verdict{Field: compare.Value, Kind: k})
	}
	return v
}

func conf(x float64) *float64 { return &x }

// TestMeasures counts several replies by hand.
func TestMeasures(t *testing.T) {
	var s Score
	s.Add(dsl.StepOver, state("x=same y=same value=same"), 1, nil)                // all right
	s.Add(dsl.StepOver, state("x=differs y=same"), 3, nil)                        // a local wrong
	s.Add(dsl.StepOver, state("line=differs"), 4, nil)                            // no locals, correctly
	s.Add(dsl.StepInto, state("x=incomparable y=same"), 1, nil)                   // neither right nor wrong
	s.Add(dsl.StepInto, state("x=incomparable y=missing"), 1, nil)                // wrong nevertheless
	s.Add(dsl.InvStepOver, state("event=differs value=missing z=extra"), -1, nil) // inverse
	s.Add(dsl.StepInto, compare.Verdicts{{Field: compare.Outcome, Kind: compare.Missing}}, 2, nil)
	s.Add(dsl.Continue, compare.Verdicts{
		{Field: compare.Outcome, Kind: compare.Same},
		{Field: compare.ExitCode, Kind: compare.Same},
		{Field: compare.ExitException, Kind: compare.Differs},
	}, 40, nil)
	s.Add(dsl.Continue, compare.Verdicts{{Field: compare.Outcome, Kind: compare.Same}, {Field: compare.ExitCode, Kind: compare.Same}}, 40, nil)
	s.Add(dsl.StepInto, nil, 1, nil) // nothing was compared

	if s.Moves() != 9 {
		t.Errorf("%d moves", s.Moves())
	}
	want := map[Measure]Tally{
		State:     {8, 2, 1},
		Values:    {5, 2, 1},
		Outcome:   {9, 8, 0},
		Event:     {6, 5, 0},
		Line:      {6, 5, 0},
		Function:  {6, 6, 0},
		Stack:     {6, 6, 0},
		Locals:    {5, 2, 1},
		EachLocal: {7, 4, 2},
		Value:     {2, 1, 0},
		Exit:      {2, 1, 0},
	}
	for _, m := range Measures() {
		if got := s.Of(m); got != want[m] {
			t.Errorf("%s: %+v, want %+v", m, got, want[m])
		}
	}
	for name, c := range map[string]struct{ got, want []Row }{
		"line by action": {s.ByAction(Line), []Row{{"step_into", Tally{2, 2, 0}}, {"step_over", Tally{3, 2, 0}}, {"inv_step_over", Tally{1, 1, 0}}}},
		"state by horizon": {s.ByHorizon(State, false), []Row{
			{"1", Tally{2, 1, 1}}, {"2", Tally{1, 0, 0}}, {"3-4", Tally{2, 0, 0}}, {"33-64", Tally{2, 1, 0}},
		}},
		"state by horizon, inverse": {s.ByHorizon(State, true), []Row{{"unknown", Tally{1, 0, 0}}}},
		"inverse": {s.ByMeasure(true), []Row{
			{"whole state", Tally{1, 0, 0}},
			{"all values", Tally{1, 0, 0}},
			{"outcome", Tally{1, 1, 0}},
			{"event", Tally{1, 0, 0}},
			{"line", Tally{1, 1, 0}},
			{"function", Tally{1, 1, 0}},
			{"stack", Tally{1, 1, 0}},
			{"all locals", Tally{1, 0, 0}},
			{"each local", Tally{1, 0, 0}},
			{"value", Tally{1, 0, 0}},
		}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %+v\nwant %+v", name, c.got, c.want)
		}
	}
}

func TestTally(t *testing.T) {
	if a, e := (Tally{N: 100, Same: 80}).Accuracy(), (Tally{N: 100, Same: 80}).StdErr(); a != 0.8 || math.Abs(e-0.04) > 1e-15 {
		t.Errorf("%g ± %g", a, e)
	}
	if a, e := (Tally{}).Accuracy(), (Tally{}).StdErr(); !math.IsNaN(a) || !math.IsNaN(e) {
		t.Errorf("nothing: %g ± %g", a, e)
	}
}

func TestBuckets(t *testing.T) {
	for horizon, want := range map[int]string{
		-7: "unknown", -1: "unknown", 0: "0", 1: "1", 2: "2", 3: "3-4", 4: "3-4", 5: "5-8", 8: "5-8", 9: "9-16", 16: "9-16", 17: "17-32", 1 << 20: "524289-1048576",
	} {
		b := BucketOf(horizon)
		if b.String() != want {
			t.Errorf("%d: %s, want %s", horizon, b, want)
		}
		var back Bucket
		if err := back.UnmarshalText([]byte(want)); err != nil || back != b {
			t.Errorf("%s: %v %v", want, back, err)
		}
		if least, greatest := b.Bounds(); horizon >= 0 && (horizon < least || horizon > greatest) {
			t.Errorf("%d is not between %d and %d", horizon, least, greatest)
		}
	}
	least, greatest := BucketOf(math.MaxInt).Bounds()
	if least <= 0 || greatest != math.MaxInt {
		t.Errorf("the last bucket: %d to %d", least, greatest)
	}
	var b Bucket
	if b.UnmarshalText([]byte("3-5")) == nil {
		t.Error("3-5 was read")
	}
}

// TestCalibration computes four moves by hand. Bin 9: confidences 0.9 and 1.0, one of them
// right; bin 2: 0.2 and 0.25, both wrong. Squares: 0.01 (0.9, right), 1 (1.0, wrong),
// 0.04, 0.0625.
func TestCalibration(t *testing.T) {
	var s Score
	s.Add(dsl.StepOver, state(""), 1, conf(0.9))
	s.Add(dsl.StepOver, state("x=differs"), 1, conf(1))
	s.Add(dsl.StepOver, state("x=differs"), 1, conf(0.2))
	s.Add(dsl.StepOver, state("line=differs"), 1, conf(0.25))
	s.Add(dsl.StepOver, state("x=incomparable"), 1, conf(0.5)) // not judged
	s.Add(dsl.StepOver, state(""), 1, conf(math.NaN()))        // not stated
	s.Add(dsl.InvStepOver, state(""), 1, conf(1.5))            // counts as 1
	c := s.Calibration(false)
	if c.N() != 4 || c.Bins[9].N != 2 || c.Bins[9].Same != 1 || c.Bins[2].N != 2 || c.Bins[2].Same != 0 {
		t.Fatalf("%+v", c)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	near("stated", c.Bins[9].Stated(), 0.95)
	near("accuracy", c.Bins[9].Accuracy(), 0.5)
	near("ECE", c.ECE(), 2./4*math.Abs(0.95-0.5)+2./4*0.225)
	near("Brier", c.Brier(), (0.01+1+0.04+0.0625)/4)
	inverse := s.Calibration(true)
	if inverse.N() != 1 || inverse.Brier() != 0 || inverse.Bins[9].Confidence != 1 {
		t.Errorf("inverse: %+v", inverse)
	}
}

// drawn is a move whose confidence is a multiple of 1/8, so that sums are exact in
// any order.
type drawn struct {
	action     dsl.Move
	verdicts   compare.Verdicts
	horizon    int
	confidence *float64
}

func draw(t *rapid.T) drawn {
	var d drawn
	d.action = dsl.Move(rapid.IntRange(int(dsl.StepInto), int(dsl.InvStepFunction)).Draw(t, "action"))
	d.horizon = rapid.IntRange(-1, 100).Draw(t, "horizon")
	for range rapid.IntRange(0, 5).Draw(t, "verdicts") {
		d.verdicts = append(d.verdicts, compare.Verdict{
			Field: rapid.SampledFrom(compare.Fields()).Draw(t, "field"),
			Kind:  rapid.SampledFrom(compare.Kinds()).Draw(t, "kind"),
		})
	}
	if rapid.Bool().Draw(t, "sure") {
		d.confidence = conf(float64(rapid.IntRange(0, 8).Draw(t, "confidence")) / 8)
	}
	return d
}

// TestMerge checks that two merged scores are the score of all moves, that a score is
// unchanged after writing and reading, and that equal scores are written equally.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all, one, two Score
		for range rapid.IntRange(0, 30).Draw(t, "moves") {
			d := draw(t)
			all.Add(d.action, d.verdicts, d.horizon, d.confidence)
			part := &one
			if rapid.Bool().Draw(t, "second") {
				part = &two
			}
			part.Add(d.action, d.verdicts, d.horizon, d.confidence)
		}
		one.Merge(&two)
		text, err := json.Marshal(&one)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != string(want) {
			t.Fatalf("merged\n%s\nall\n%s", text, want)
		}
		var back Score
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if !reflect.DeepEqual(back, one) {
			t.Fatalf("%+v\nwas read from\n%s", back, text)
		}
	})
}

// TestCalibrationOfActions checks that each action has a calibration, and that scores of
// an earlier npdb without them can be read and added.
func TestCalibrationOfActions(t *testing.T) {
	var s, earlier Score
	s.Add(dsl.StepInto, state("x=differs"), 1, conf(0.5))
	s.Add(dsl.Continue, state(""), 1, conf(0.75))
	if err := json.Unmarshal([]byte(`{"v": 1, "tallies": [], "calibration": {"forward": {"bins": [{"n": 1, "same": 1, "confidence": 0.05}], "squares": 0.9}}}`), &earlier); err != nil {
		t.Fatal(err)
	}
	s.Merge(&earlier)
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back Score
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	into, on, over, all := back.CalibrationOf(dsl.StepInto), back.CalibrationOf(dsl.Continue), back.CalibrationOf(dsl.StepOver), back.Calibration(false)
	if into.N() != 1 || into.Brier() != 0.25 || on.N() != 1 || on.ECE() != 0.25 || over.N() != 0 || all.N() != 3 {
		t.Errorf("%+v %+v %+v of %+v", into, on, over, all)
	}
}

// TestMergeSelf checks that a score merged into itself counts everything twice.
func TestMergeSelf(t *testing.T) {
	var s Score
	s.Add(dsl.StepOver, state("x=differs"), 1, conf(0.5))
	s.Merge(&s)
	c := s.Calibration(false)
	if s.Moves() != 2 || s.Of(Line) != (Tally{2, 2, 0}) || c.N() != 2 || c.Brier() != 0.25 {
		t.Errorf("%+v", s)
	}
}

func TestImpossibleJSON(t *testing.T) {
	for _, bad := range []string{
		`{}`,
		`{"v": 2}`,
		`{"v": 1, "tallies": [{"action": "step", "horizon": "1", "measure": "line", "n": 1, "same": 1}]}`,
		`{"v": 1, "tallies": [{"action": "step_over", "horizon": "1", "n": 1, "same": 1}]}`,
		`{"v": 1, "tallies": [{"action": "step_over", "horizon": "1-2", "measure": "line", "n": 1, "same": 1}]}`,
		`{"v": 1, "tallies": [{"action": "step_over", "horizon": "1", "measure": "lines", "n": 1, "same": 1}]}`,
		`{"v": 1, "tallies": [{"action": "step_over", "horizon": "1", "measure": "line", "n": 1, "same": 2}]}`,
		`{"v": 1, "tallies": [{"action": "step_over", "horizon": "1", "measure": "line", "n": 1, "same": 1}, {"action": "step_over", "horizon": "1", "measure": "line", "n": 1, "same": 1}]}`,
		`{"v": 1, "tallies": [{"action": "step_over", "horizon": "1", "measure": "line", "n": 9007199254740993, "same": 1}]}`,
		`{"v": 1, "calibration": {"forward": {"bins": [{"n": 1, "same": 2}]}}}`,
		`{"v": 1, "calibration": {"inverse": {"squares": 1}}}`,
		`{"v": 1, "calibration": {"actions": {"step": {"squares": 0}}}}`,
		`{"v": 1, "calibration": {"actions": {"step_over": {"bins": [{"n": 1, "same": 2}]}}}}`,
	} {
		s := Score{}
		s.Add(dsl.StepOver, state(""), 1, nil)
		if err := json.Unmarshal([]byte(bad), &s); err == nil {
			t.Errorf("%s was read", bad)
		}
		if s.Moves() != 1 {
			t.Errorf("%s: the score was changed", bad)
		}
	}
}

// FuzzJSON checks that a text is refused, or is a score that is unchanged after writing
// and reading.
func FuzzJSON(f *testing.F) {
	var s Score
	s.Add(dsl.InvBreakpoint, state("x=differs y=incomparable value=same"), 7, conf(0.5))
	text, err := json.Marshal(s)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(`{"v": 1, "tallies": [{"action": "step_over", "horizon": "unknown", "measure": "local", "n": 3, "same": 1, "incomparable": 2}]}`)
	f.Add(`{"v": 1, "calibration": {"forward": {"bins": [{"n": 1, "same": 1, "confidence": 0.05}], "squares": 0.9}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var s Score
		if json.Unmarshal([]byte(text), &s) != nil {
			return
		}
		first, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again Score
		if err := json.Unmarshal(first, &again); err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second, err := json.Marshal(again); err != nil || string(second) != string(first) {
			t.Fatalf("%v\n%s\n%s", err, first, second)
		}
		s.Merge(&again)
		s.Lines(60)
	})
}
