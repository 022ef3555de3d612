package nav

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
)

// TestAttribute checks that a wrong value that comes from the clock is reported as
// possibly the program's own. The verdict does not change.
func TestAttribute(t *testing.T) {
	w := NewBoth(&Base{}, &Recorded{}, &Neural{}, nil)
	w.model.addFile("/src/prog.py", "prog.py", []byte("import time\ndef f(n):\n    t = time.time()\n    if t > n:\n        return t\n    return 0\n"))
	at := func(line int) *dsl.Stop { return &dsl.Stop{State: dsl.State{File: "prog.py", Line: line}} }
	for _, tt := range []struct {
		verdict       compare.Verdict
		before, truth *dsl.Stop
		want          string
	}{
		{compare.Verdict{Field: compare.Local, Name: "t", Kind: compare.Differs}, at(3), at(4), "time.time()"},
		{compare.Verdict{Field: compare.Local, Name: "t", Kind: compare.Same}, at(3), at(4), ""},
		{compare.Verdict{Field: compare.Local, Name: "n", Kind: compare.Differs}, at(3), at(4), ""},
		{compare.Verdict{Field: compare.Value, Kind: compare.Differs}, at(5), at(5), "time.time()"},
		{compare.Verdict{Field: compare.Value, Kind: compare.Differs}, at(6), at(6), ""},
		{compare.Verdict{Field: compare.Line, Kind: compare.Differs}, at(4), at(5), "time.time()"},
		{compare.Verdict{Field: compare.Outcome, Kind: compare.Differs}, at(6), nil, ""},
		{compare.Verdict{Field: compare.Value, Kind: compare.Differs}, nil, &dsl.Stop{State: dsl.State{File: "other.py", Line: 1}}, ""},
	} {
		v := compare.Verdicts{tt.verdict}
		w.attribute(v, tt.before, tt.truth)
		if v[0].Own != tt.want || v[0].Kind != tt.verdict.Kind {
			t.Errorf("%+v: %q, want %q", tt.verdict, v[0].Own, tt.want)
		}
		if said := strings.Contains(v[0].String(), "(may be the program's own: it comes from time.time())"); said != (tt.want != "") {
			t.Errorf("%s", v[0])
		}
	}
	w.reference = &Predicted{} // two models
	v := compare.Verdicts{{Field: compare.Local, Name: "t", Kind: compare.Differs}}
	if w.attribute(v, at(3), at(4)); v[0].Own != "" {
		t.Errorf("two models: %+v", v)
	}
}
