package embedded

import (
	"errors"
	"os"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestReadWhenAsked checks a file with a whole header but a truncated rest: the model has a name, and
// each question fails.
func TestReadWhenAsked(t *testing.T) {
	data, err := os.ReadFile("testdata/tiny.npdb")
	if err != nil {
		t.Fatal(err)
	}
	data = data[:len(data)-1]
	if _, err := New(data, Config{}); !errors.Is(err, errShort) {
		t.Errorf("New says %v", err)
	}
	f, err := readHeader(data)
	if err != nil {
		t.Fatal(err)
	}
	p := asking(f, data, Config{})
	defer p.Close()
	if p.Model().Name == "" {
		t.Error("the model has no name")
	}
	for range 2 {
		_, err := p.Predict(t.Context(), backend.Question{At: walk(t, 0)[0], Action: dsl.Action{Move: dsl.StepOver}}, nil)
		var failure *backend.Error
		if !errors.As(err, &failure) || failure.Kind != backend.NoModel || !errors.Is(err, errShort) {
			t.Errorf("a question is told %v", err)
		}
	}
}

// carried returns a predictor for the model in this build, until the test ends.
func carried(t *testing.T) *Predictor {
	t.Helper()
	if !HasModel() {
		t.Skip("this build carries no model")
	}
	p, err := Shipped(Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() }) // Close of this predictor cannot fail
	return p
}

// TestShipped checks that the model in this build can be read, and predicts simple steps.
func TestShipped(t *testing.T) {
	p, err := Shipped(Config{})
	if !HasModel() {
		if !errors.Is(err, ErrNoModel) {
			t.Errorf("without a model: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Model().Name == "" {
		t.Error("the model has no name")
	}
	asked, right := 0, 0
	for i := range 6 {
		for _, n := range walk(t, i)[1:] {
			step, _ := n.Step()
			if m := step.Action.Move; m != dsl.StepInto && m != dsl.StepOver {
				continue
			}
			got, err := p.Predict(t.Context(), backend.Question{At: n.Parent(), Action: step.Action}, nil)
			var failure *backend.Error
			switch asked++; {
			case err == nil && same(got.Step, step):
				right++
			case err == nil, errors.As(err, &failure) && failure.Kind == backend.TooLong:
			default:
				t.Errorf("%v: %v", step.Action, err)
			}
		}
	}
	if t.Logf("%d of %d steps are right", right, asked); 2*right < asked {
		t.Errorf("%d of %d steps are right", right, asked)
	}
}

// TestShippedFigures checks that the accuracy figures in this build are those of its model, for existing
// moves.
func TestShippedFigures(t *testing.T) {
	p := carried(t)
	m := p.Model().Measured
	if m.Digest != p.Digest() {
		t.Errorf("measured.json is of the model %s, and %s is carried: measure it, and write its card with npdb eval card", m.Digest, p.Digest())
	}
	if len(m.Sets) == 0 {
		t.Error("there is no set")
	}
	for _, set := range m.Sets {
		if set.Name == "" || set.Programs < 1 || set.Moves["step_into"].N == 0 || set.Moves["step_over"].N == 0 {
			t.Errorf("a set is %+v", set)
		}
		for name, share := range set.Moves {
			if _, err := dsl.ParseAction(name); err != nil && name != "breakpoint" && name != "inv_breakpoint" || share.Same < 0 || share.Same > share.N {
				t.Errorf("%s: %s has %+v: %v", set.Name, name, share, err)
			}
		}
	}
}
