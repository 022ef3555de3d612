package openai

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestStopsAndSureness checks the confidence of each state in a list, by its own tokens or as the model
// states it.
func TestStopsAndSureness(t *testing.T) {
	answer := `{"states":[` + countingAt(2) + "," + countingAt(3) + "," + countingAt(4) + `]}`
	cuts := []int{0, 11, 11 + len(countingAt(2)), 12 + len(countingAt(2)), 12 + len(countingAt(2)) + len(countingAt(3)), len(answer) - 2, len(answer)}
	odds := []float64{-0.1, -0.2, -0.3, -0.4, -1, -5}
	var body strings.Builder
	for i, odd := range odds {
		piece := answer[cuts[i]:cuts[i+1]]
		fmt.Fprint(&body, delta(content(piece), fmt.Sprintf(`,"logprobs":{"content":[{"token":%s,"logprob":%v}]}`, quoted(piece), odd)))
	}
	walk := func(t *testing.T, s *chatServer, own bool) (made []*backend.Prediction) {
		t.Helper()
		p := inChat(t, s, func(c *Config) { c.Stops, c.Logprobs, c.OwnWord = 8, true, own })
		at := counting(t)
		if own { // the model is asked for it once a reply came without log probabilities
			if _, err := p.Predict(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.InvStepInto}}, nil); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			got, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
			if err != nil {
				t.Fatal(err)
			}
			made = append(made, got)
			if at, err = at.Append(got.Step); err != nil {
				t.Fatal(err)
			}
		}
		return made
	}
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 200, body.String()+delta("", `,"finish_reason":"stop"`)+done)
	})
	for i, got := range walk(t, s, false) {
		want := []float64{math.Exp(-0.3), math.Exp(-0.7), math.Exp(-1)}[i]
		if got.Confidence == nil || math.Abs(*got.Confidence-want) > 1e-9 || got.Sureness == nil || got.Sureness.By == backend.OwnWord {
			t.Errorf("state %d: confidence %v, want %v; %+v", i, got.Confidence, want, got.Sureness)
		}
	}
	s = chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 200, strings.Replace(body.String(), `"logprob":-0.4`, `"logprob":null`, 1)+delta("", `,"finish_reason":"stop"`)+done)
	})
	for i, got := range walk(t, s, false) {
		if (got.Confidence == nil) != (i == 1) {
			t.Errorf("state %d, of which one token tells nothing: confidence %v", i, got.Confidence)
		}
	}
	s = chats(t, func(w http.ResponseWriter, body map[string]any) {
		messages, _ := json.Marshal(body["messages"])
		text := answer
		if strings.Contains(string(messages), "Give each state one more field") {
			for i, percent := range []string{"90", "70", "50"} {
				text = strings.Replace(text, countingAt(i+2), strings.TrimSuffix(countingAt(i+2), "}")+`,"confidence":`+percent+"}", 1)
			}
		}
		says(w, 200, said(text))
	})
	for i, got := range walk(t, s, true) {
		if want := []float64{.9, .7, .5}[i]; got.Confidence != nil || got.Sureness == nil || got.Sureness.By != backend.OwnWord || *got.Sureness.Whole != want {
			t.Errorf("state %d: %+v, want the word %v", i, got.Sureness, want)
		}
	}
}

// TestKeptStopsHideSecrets checks that a key that the model repeats in a stored state is hidden.
func TestKeptStopsHideSecrets(t *testing.T) {
	const key = "sk-very-secret-1234567890"
	s := chats(t, func(w http.ResponseWriter, body map[string]any) {
		text, _ := countingOn(t, body)
		says(w, 200, said(strings.Replace(text, `"value":"2"`, `"value":"'`+key+`'"`, 1)))
	})
	p := inChat(t, s, func(c *Config) { c.Stops, c.Key = 4, key })
	at := counting(t)
	for range 2 {
		got, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if all := fmt.Sprint(got.Raw, got.Wire, got.Step.Reply.Stop.Locals); strings.Contains(all, key) {
			t.Errorf("the key is shown: %s", all)
		}
		if at, err = at.Append(got.Step); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.asked) != 1 {
		t.Errorf("%d requests", len(s.asked))
	}
}
