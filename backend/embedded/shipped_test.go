package embedded

import (
	"errors"
	"os"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// A model whose header is whole is named before the rest of it is read; that the rest is
// not whole is what each question to it is told.
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

// The model that is carried can be read, and knows what plain steps lead to.
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
