package serve

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

// guesser imitates a language model: it records the options of requests, and returns probabilities
// for the pieces of its answers.
type guesser struct {
	*fake
	asked []backend.Options
	odds  []backend.Piece // probabilities of its answers
	fails *backend.Error
}

func (g *guesser) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	g.asked = append(g.asked, q.Options)
	if g.fails != nil {
		return nil, g.fails
	}
	made, err := g.fake.Predict(ctx, q, show)
	for _, p := range g.odds {
		made.Raw += p.Text
	}
	made.Pieces = g.odds
	return made, err
}

// TestModelIsDrawn checks that a model samples with the request's options, and that CPython ignores
// them.
func TestModelIsDrawn(t *testing.T) {
	asked, _ := prompts(t)
	for _, guesses := range []bool{true, false} {
		g := &guesser{fake: newFake(t)}
		server := served(t, func(c *Config) { c.Models = []Model{{Name: "own", Predictor: g, Guesses: guesses}} })
		complete(t, server, object{"prompt": asked[0], "max_tokens": 100, "temperature": 0.5, "top_p": 0.9, "seed": 7})
		complete(t, server, object{"prompt": asked[0], "max_tokens": 100})
		for i, want := range []backend.Options{{Temperature: new(0.5), TopP: new(0.9), Seed: new(int64(7))}, {}} {
			if !guesses {
				want = backend.Options{}
			}
			got, _ := json.Marshal(g.asked[i])
			wanted, _ := json.Marshal(want)
			if string(got) != string(wanted) {
				t.Errorf("guesses %v: drawn by %s, want %s", guesses, got, wanted)
			}
		}
	}
}

// TestModelRefuses checks that requests that a model does not support are refused with a clear
// message.
func TestModelRefuses(t *testing.T) {
	asked, _ := prompts(t)
	g := &guesser{fake: newFake(t)}
	server := served(t, func(c *Config) { c.Models = []Model{{Name: "own", Predictor: g, Guesses: true}} })
	const trace = "<|begin_of_text|><|trace_context_start|>def f(x):  # << START_OF_TRACE\n    return x\nf(1)\n<|frame_sep|><|line_sep|>{}<|action_sep|>def f(x):\n<|frame_sep|>"
	for name, c := range map[string]struct {
		body  object
		words string
	}{
		"a trace":          {object{"prompt": trace}, "does not continue traces of the Code World Model"},
		"several, drawn":   {object{"prompt": asked[0], "n": 2, "temperature": 1}, "n must be 1"},
		"too cold":         {object{"prompt": asked[0], "temperature": -1}, "temperature"},
		"a top_p too much": {object{"prompt": asked[0], "top_p": 1.5}, "top_p"},
	} {
		t.Run(name, func(t *testing.T) {
			if status, text, _ := post(t, server, "/v1/completions", c.body); status != http.StatusBadRequest || !strings.Contains(text, c.words) {
				t.Errorf("status %d, %s", status, text)
			}
		})
	}
	if got, _ := complete(t, server, object{"prompt": asked[0], "max_tokens": 200, "n": 2}); len(got.Choices) != 2 || got.Choices[0].Text != got.Choices[1].Text {
		t.Errorf("the likeliest twice: %+v", got.Choices)
	}
	g.fails = &backend.Error{Kind: backend.TooLong, Message: "the trajectory has 2000 tokens, and the window of npdb's own model is 1024"}
	status, text, _ := post(t, server, "/v1/completions", object{"prompt": asked[0]})
	if status != http.StatusBadRequest || !strings.Contains(text, "exceed_context_size") || !strings.Contains(text, "2000 tokens") {
		t.Errorf("status %d, %s", status, text)
	}
}

// TestModelTellsProbabilities checks that a response contains the probabilities of the model's own
// tokens. Unknown ones are omitted, so that an uncertain token does not appear as certain.
func TestModelTellsProbabilities(t *testing.T) {
	asked, replies := prompts(t)
	odds := []backend.Piece{
		{Text: replies[0][:len("<|line_sep|>")], LogProb: new(-0.5)},
		{Text: replies[0][len("<|line_sep|>"):20], LogProb: new(0.0)},
		{Text: replies[0][20:25], LogProb: new(-0.25)},
		{Text: replies[0][25:], LogProb: new(math.Inf(-1))},
	}
	body := object{"prompt": asked[0], "max_tokens": 200, "skip_special_tokens": false, "logprobs": 1}
	for name, c := range map[string]struct {
		odds    []backend.Piece
		guesses bool
		sum     float64 // 1 if there are no logprobs
	}{
		"of its tokens": {odds, true, leastLogprob},
		"not known":     {nil, true, 1},
		"of CPython":    {nil, false, 0},
		"all but one":   {append(odds[:3:3], backend.Piece{Text: replies[0][25:], LogProb: new(-1.0)}), true, -1.75},
	} {
		t.Run(name, func(t *testing.T) {
			g := &guesser{fake: newFake(t), odds: c.odds}
			server := served(t, func(cfg *Config) { cfg.Models = []Model{{Name: "own", Predictor: g, Guesses: c.guesses}} })
			got, _ := complete(t, server, body)
			l := got.Choices[0].Logprobs
			if l == nil {
				if c.sum != 1 {
					t.Fatal("none are told")
				}
				return
			}
			sum := 0.0
			for _, p := range l.Logprobs {
				sum = max(sum+p, leastLogprob)
			}
			if math.Abs(sum-c.sum) > 1e-9 || len(l.Logprobs) != len(l.Tokens) {
				t.Errorf("%v for %q, together %v", l.Logprobs, l.Tokens, sum)
			}
			if first := l.Logprobs[0]; c.guesses && first != -0.5 {
				t.Errorf("the first token has %v", first)
			}
		})
	}
	g := &guesser{fake: newFake(t), odds: odds}
	server := served(t, func(cfg *Config) { cfg.Models = []Model{{Name: "own", Predictor: g, Guesses: true}} })
	_, text, _ := post(t, server, "/v1/chat/completions", object{"logprobs": true, "messages": []object{{"role": "user", "content": "PROGRAM\n1|x = 1\n2|y = x + 1\nSTATE {\"outcome\":\"state\",\"event\":\"line\",\"line\":1,\"stack\":[{\"function\":\"<module>\",\"line\":1}],\"locals\":[]}\nCOMMAND step_over"}}})
	if !strings.Contains(text, `"logprobs":null`) {
		t.Errorf("by chat: %s", text)
	}
}

// TestOneModel checks the response about one model, whose name in the path may contain slashes.
func TestOneModel(t *testing.T) {
	server := served(t, func(c *Config) {
		c.Key = "sesame"
		c.Models = []Model{{Name: "oracle", Predictor: newFake(t)}, {Name: "lab/nd 1", Predictor: newFake(t)}}
	})
	for _, c := range []struct {
		method, path, key string
		status            int
		says              string
	}{
		{"GET", "/v1/models/oracle", "sesame", 200, `{"id":"oracle","object":"model",`},
		{"GET", "/v1/models/lab/nd%201", "sesame", 200, `{"id":"lab/nd 1","object":"model",`},
		{"GET", "/v1/models/lab%2Fnd%201", "sesame", 200, `{"id":"lab/nd 1",`},
		{"HEAD", "/v1/models/oracle", "sesame", 200, ""},
		{"GET", "/v1/models/lab", "sesame", 404, "The model `lab` does not exist."},
		{"GET", "/v1/models/", "sesame", 404, "The model `` does not exist."},
		{"POST", "/v1/models/oracle", "sesame", 405, "Method Not Allowed"},
		{"GET", "/v1/models/oracle", "", 401, "Unauthorized"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+c.key)
		request.Header.Set("Content-Type", "application/json")
		answer, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != c.status || !strings.HasPrefix(strings.TrimPrefix(string(text), `{"error":{"message":"`), c.says) && !strings.Contains(string(text), c.says) {
			t.Errorf("%s %s: status %d, %s", c.method, c.path, answer.StatusCode, text)
		}
	}
}
