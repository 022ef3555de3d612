package sampled_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/sampled"
)

// model gives answers in nd/1 in order, and records the requests. The answer "!" is a
// failure of the server.
type model struct {
	backend.Predictor
	answers   []string
	asked     []string
	discarded []backend.Discarded // of failures
}

func (m *model) Predict(_ context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	o, how := q.Options, ""
	if o.Temperature != nil {
		how += fmt.Sprintf("temperature %v ", *o.Temperature)
	}
	if o.Seed != nil {
		how += fmt.Sprintf("seed %d", *o.Seed)
	}
	m.asked = append(m.asked, strings.TrimSpace(how))
	raw := m.answers[len(m.asked)-1]
	if raw == "!" {
		return nil, &backend.Error{Kind: backend.Unreachable, Message: "nobody is there", Discarded: m.discarded}
	}
	d := q.At.Decode(q.Action)
	err := d.Feed(raw)
	if err == nil {
		err = d.Close(true)
	}
	if err != nil {
		took := backend.Usage{Prompt: 100, Cached: 90, Completion: 10}
		return nil, &backend.Error{Kind: backend.NoState, Message: err.Error(), Raw: raw, Discarded: []backend.Discarded{{Usage: took, Invalid: true}}}
	}
	if show != nil {
		show(backend.Update{Raw: raw})
	}
	step, _ := d.Step()
	sure := .5
	return &backend.Prediction{
		Step: step, Raw: raw, Confidence: &sure, Sureness: &backend.Sureness{By: backend.LogProbabilities},
		Usage: backend.Usage{Prompt: 100, Cached: 90, Completion: 10},
	}, nil
}

func question(t *testing.T) backend.Question {
	t.Helper()
	n, _, err := dsl.ND1.Read("<|trace_context_start|>1|def f(x):\n2|    return x\n3|y = f(1)\n<|frame_sep|>" +
		`<|line_sep|><|stack_sep|>[["<module>", 3]]{}<|action_sep|>3|y = f(1)` + "\n<|frame_sep|>")
	if err != nil {
		t.Fatal(err)
	}
	return backend.Question{At: n, Action: dsl.Action{Move: dsl.StepOver}}
}

// line returns an answer: a line with one local.
func line(y, number string) string {
	return `<|line_sep|>{"y": "` + y + `"}<|action_sep|>` + number + "|" + map[string]string{"1": "def f(x):", "3": "y = f(1)"}[number] + "\n<|frame_sep|>"
}

const (
	end     = `<|end_sep|>{"code": 0}<|frame_sep|>`
	unknown = `<|unknown_sep|><|frame_sep|>`
)

func TestAgreement(t *testing.T) {
	p := func(n, of int) *float64 { p := float64(n) / float64(of); return &p }
	at := func(of, whole, event, line, function, y int) *backend.Sureness {
		s := &backend.Sureness{By: backend.Agreement, Of: of, Whole: p(whole, of), Event: p(event, of), Line: p(line, of), Function: p(function, of)}
		s.SetLocal("y", p(y, of))
		return s
	}
	for _, c := range []struct {
		name    string
		answers []string
		want    *backend.Sureness
	}{
		{"all say the same", []string{line("1", "3"), line("1", "3"), line("1", "3")}, at(3, 3, 3, 3, 3, 3)},
		{"one has another value", []string{line("1", "3"), line("2", "3"), line("1", "3")}, at(3, 2, 3, 3, 3, 2)},
		{"nobody agrees", []string{line("1", "3"), line("2", "3"), line("3", "3")}, at(3, 1, 3, 3, 3, 1)},
		{"values are compared as both modes do", []string{line("{1, 2}", "3"), line("{2, 1}", "3"), line("0.30000000000000004", "3")}, at(3, 2, 3, 3, 3, 2)},
		{"another line", []string{line("1", "3"), line("1", "1"), line("1", "3")}, at(3, 2, 3, 2, 3, 3)},
		{"another local", []string{line("1", "3"), strings.Replace(line("1", "3"), `"}`, `", "z": "2"}`, 1), line("1", "3")}, at(3, 2, 3, 3, 3, 3)},
		{"words are no agreement", []string{line("1", "3"), "y is 1", line("1", "3")}, at(3, 2, 2, 2, 2, 2)},
		{"nor is an end", []string{line("1", "3"), end, unknown}, at(3, 1, 1, 1, 1, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := (&sampled.Predictor{Predictor: &model{answers: c.answers}, Answers: 3}).Predict(t.Context(), question(t), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Raw != c.answers[0] || *got.Confidence != .5 {
				t.Errorf("it shows %q, confidence %v", got.Raw, *got.Confidence)
			}
			if !reflect.DeepEqual(got.Sureness, c.want) {
				t.Errorf("%s, want %s", told(got.Sureness), told(c.want))
			}
		})
	}
}

// told returns all parts as text.
func told(s *backend.Sureness) string {
	of := func(p *float64) string {
		if p == nil {
			return "-"
		}
		return s.Words(*p)
	}
	return fmt.Sprintf("whole %s, event %s, line %s, function %s, y %s, value %s", of(s.Whole), of(s.Event), of(s.Line), of(s.Function), of(s.Local("y")), of(s.Value))
}

// TestAgreementOnAnEnd checks that answers that end the program are compared by the end
// itself and by its kind.
func TestAgreementOnAnEnd(t *testing.T) {
	m := &model{answers: []string{end, strings.Replace(end, "0", "1", 1), line("1", "3"), end}}
	got, err := (&sampled.Predictor{Predictor: m, Answers: 4}).Predict(t.Context(), question(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := told(got.Sureness); s != "whole 2 of 4, event 3 of 4, line -, function -, y -, value 2 of 4" {
		t.Error(s)
	}
}

// TestSamplesAreDrawn checks that the shown answer is requested as without samples. The
// samples have a temperature and different seeds, their tokens are counted, and their
// streams are not shown.
func TestSamplesAreDrawn(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	seed := func(n int64) *int64 { return &n }
	a := line("1", "3")
	for _, c := range []struct {
		name    string
		by      *sampled.Predictor
		options backend.Options
		want    []string
	}{
		{"as npdb is made", &sampled.Predictor{Answers: 3}, backend.Options{}, []string{"", "temperature 1 seed 1", "temperature 1 seed 2"}},
		{"one is no sample", &sampled.Predictor{Answers: 1}, backend.Options{}, []string{""}},
		{"with chance and a seed of the user's", &sampled.Predictor{Answers: 2, Temperature: .3, Seed: seed(7)}, backend.Options{}, []string{"", "temperature 0.3 seed 8"}},
		{"drawn anew", &sampled.Predictor{Answers: 2}, backend.Options{Temperature: number(.7), Seed: seed(40)}, []string{"temperature 0.7 seed 40", "temperature 0.7 seed 41"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &model{answers: []string{a, a, a}}
			p := c.by
			p.Predictor = m
			q := question(t)
			q.Options = c.options
			shown := 0
			got, err := p.Predict(t.Context(), q, func(backend.Update) { shown++ })
			if err != nil || shown != 1 {
				t.Fatalf("%d updates, %v", shown, err)
			}
			if !reflect.DeepEqual(m.asked, c.want) {
				t.Errorf("it is asked with %q, want %q", m.asked, c.want)
			}
			if n := len(c.want); got.Usage != (backend.Usage{Prompt: 100 * n, Cached: 90 * n, Completion: 10 * n}) {
				t.Errorf("%d answers took %+v", n, got.Usage)
			}
		})
	}
}

// TestWithoutSamples checks that without samples the answer is shown unchanged, with the
// reason once. A failed or unknown answer has no samples.
func TestWithoutSamples(t *testing.T) {
	m := &model{answers: []string{line("1", "3"), "!", line("1", "3"), "!", unknown, "!"}}
	p := &sampled.Predictor{Predictor: m, Answers: 3}
	for i, warned := range []int{1, 0, 0} {
		got, err := p.Predict(t.Context(), question(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Sureness == nil || got.Sureness.By != backend.LogProbabilities || len(got.Warnings) != warned {
			t.Errorf("answer %d: %+v, warnings %q", i, got.Sureness, got.Warnings)
		}
	}
	if _, err := p.Predict(t.Context(), question(t), nil); err == nil || len(m.asked) != 6 {
		t.Errorf("it was asked %d times, %v", len(m.asked), err)
	}
}

// TestSamplesInVain checks that the tokens of failed samples are counted.
func TestSamplesInVain(t *testing.T) {
	m := &model{answers: []string{line("1", "3"), "!"}, discarded: []backend.Discarded{{Usage: backend.Usage{Prompt: 7, Cached: 0, Completion: 5}}}}
	got, err := (&sampled.Predictor{Predictor: m, Answers: 3}).Predict(t.Context(), question(t), nil)
	if want := (backend.Usage{Prompt: 107, Cached: 90, Completion: 15}); err != nil || got.Usage != want {
		t.Errorf("it took %+v, %v; want %+v", got.Usage, err, want)
	}
}

// TestInvalidSamples checks that an invalid sample agrees in nothing, and that its tokens
// are counted.
func TestInvalidSamples(t *testing.T) {
	m := &model{answers: []string{line("1", "3"), "so", line("1", "3")}}
	got, err := (&sampled.Predictor{Predictor: m, Answers: 3}).Predict(t.Context(), question(t), nil)
	if err != nil || told(got.Sureness) != "whole 2 of 3, event 2 of 3, line 2 of 3, function 2 of 3, y 2 of 3, value -" {
		t.Fatalf("%v, %+v", err, got)
	}
	if want := (backend.Usage{Prompt: 300, Cached: 270, Completion: 30}); got.Usage != want {
		t.Errorf("three answers took %+v, want %+v", got.Usage, want)
	}
}

// TestSomeSamples checks that successful samples count even if others fail.
func TestSomeSamples(t *testing.T) {
	m := &model{answers: []string{line("1", "3"), line("2", "3"), "!"}}
	got, err := (&sampled.Predictor{Predictor: m, Answers: 5}).Predict(t.Context(), question(t), nil)
	if err != nil || told(got.Sureness) != "whole 1 of 2, event 2 of 2, line 2 of 2, function 2 of 2, y 1 of 2, value -" || len(got.Warnings) > 0 {
		t.Errorf("%v, %+v", err, got)
	}
}
