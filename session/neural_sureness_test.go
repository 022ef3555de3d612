package session_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// TestSurenessIsResumed checks that a resumed session has the confidences of its journal.
func TestSurenessIsResumed(t *testing.T) {
	share := .4
	for name, of := range map[string]*backend.Sureness{
		"nothing was known": nil,
		"probabilities":     {By: backend.LogProbabilities, Event: &share, Locals: map[string]float64{"x": .84}},
		"several answers":   {By: backend.Agreement, Of: 5, Whole: &share, Line: &share},
	} {
		t.Run(name, func(t *testing.T) {
			dir, script := t.TempDir(), scriptOf(t, neuralSource)
			s := neuralIn(t, &scripted{replies: []string{atCall}, sureness: of}, trace.Options{Script: script}, dir, journal.Filled{})
			s.First(t.Context())
			do(s, "n")
			j, err := journal.Find(dir, trace.Options{Script: script})
			if err != nil {
				t.Fatal(err)
			}
			again := neuralIn(t, &scripted{}, trace.Options{Script: script}, dir, journal.Filled{})
			if a := again.Resume(t.Context(), j); a.Err != nil || !reflect.DeepEqual(a.Sureness, of) {
				t.Errorf("it is resumed as %+v, %v", a.Sureness, a.Err)
			}
		})
	}
}

// TestSurenessOfAnswers checks that a prediction names its least sure part below the
// place, and all parts in JSON.
func TestSurenessOfAnswers(t *testing.T) {
	p := func(p float64) *float64 { return &p }
	for _, c := range []struct {
		name        string
		of          *backend.Sureness
		mark        string
		words, json string
	}{
		{"nothing is known", nil, "0.75", "", ""},
		{"a local", &backend.Sureness{By: backend.LogProbabilities, Event: p(1), Line: p(.95), Locals: map[string]float64{"x": .84, "a": 1}}, "0.75", "confidence 75%: least sure of x (84%)", `, "confidences": {"by": "logprobs", "event": 1, "line": 0.95, "locals": {"a": 1, "x": 0.84}}`},
		{"the line", &backend.Sureness{By: backend.LogProbabilities, Line: p(.8), Function: p(.9), Value: p(.85)}, "0.75", "confidence 75%: least sure of the line (80%)", `, "confidences": {"by": "logprobs", "line": 0.8, "function": 0.9, "locals": {}, "value": 0.85}`},
		{
			"several answers", &backend.Sureness{By: backend.Agreement, Of: 5, Whole: p(.4), Event: p(1), Line: p(1), Locals: map[string]float64{"x": .6, "a": 1}}, "0.75, 2 of 5 agree", "the answers agree the least on x (3 of 5)",
			`, "confidences": {"by": "samples", "of": 5, "whole": 0.4, "event": 1, "line": 1, "locals": {"a": 1, "x": 0.6}}`,
		},
		{"its own word", &backend.Sureness{By: backend.OwnWord, Whole: p(.8)}, "0.75, says 80%", "", `, "confidences": {"by": "word", "whole": 0.8, "locals": {}}`},
		{"all are sure", &backend.Sureness{By: backend.LogProbabilities, Line: p(backend.Sure)}, "0.75", "", `, "confidences": {"by": "logprobs", "line": 0.9, "locals": {}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := neural(t, &scripted{replies: []string{atCall}, sureness: c.of}, trace.Options{})
			s.First(context.Background())
			a := do(s, "n")
			where, _ := a.Text(session.Where)
			place, words, _ := strings.Cut(where, "\n-> ")
			if _, words, _ = strings.Cut(words, "\n"); words != c.words || !strings.HasSuffix(place, "[predicted "+c.mark+"]") {
				t.Errorf("people read\n%s\nwant [predicted %s] and below it %q", where, c.mark, c.words)
			}
			if line := string(frontend.EncodeAnswer(a)); !strings.Contains(line, `"confidence": 0.75`+c.json) || c.json == "" && strings.Contains(line, "confidences") {
				t.Errorf("programs read\n%s\nwant in it %s", line, c.json)
			}
			if v := s.View(); v.Sureness != c.of {
				t.Errorf("the view has %+v", v.Sureness)
			}
		})
	}
}
