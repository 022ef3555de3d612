package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// long returns the trajectory of a loop, with about this many tokens of four bytes each.
func long(b *testing.B, tokens int) *dsl.Node {
	b.Helper()
	source := []string{"total = 0", "for i in range(10**6):", "    total += i * i"}
	n, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: source}}})
	if err != nil {
		b.Fatal(err)
	}
	var total int
	for i := 0; n.Len() < 4*tokens; i++ {
		stop := &dsl.Stop{
			State: dsl.State{
				Event: dsl.Line, File: "p.py", Line: 2 + i%2, Source: source[1+i%2], Function: "<module>",
				Locals: []dsl.Local{{Name: "total", Value: fmt.Sprint(total)}, {Name: "i", Value: fmt.Sprint(i / 2)}},
			},
			Stack: []dsl.Frame{{Function: "<module>", File: "p.py", Line: 2 + i%2}},
		}
		step := dsl.Step{Action: stepOver, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}}
		if i == 0 {
			step.Action = dsl.Action{}
		}
		if n, err = n.Append(step); err != nil {
			b.Fatal(err)
		}
		if i%2 == 1 {
			total += i / 2 * (i / 2)
		}
	}
	return n
}

// BenchmarkPredict measures npdb's part of a question: encoding it, HTTP over loopback to a server that
// replies at once, and decoding some 20 pieces. The target is 2 ms at 16,000 tokens (64 kB). On two
// cores of 2.6 GHz it takes 0.6 ms as text and 1.2 ms as token numbers; at 1,000 tokens 0.3 ms either
// way. The time grows with the JSON of the prompt, which takes a quarter of it for text and 40% for
// token numbers.
func BenchmarkPredict(b *testing.B) {
	for _, mode := range []PromptMode{Text, IDs} {
		for _, tokens := range []int{1000, 16000} {
			b.Run(fmt.Sprintf("%s/%d", mode, tokens), func(b *testing.B) { benchmarkPredict(b, mode, tokens) })
		}
	}
}

func benchmarkPredict(b *testing.B, mode PromptMode, tokens int) {
	at := long(b, tokens)
	text, err := at.Reply(stepOver, dsl.Reply{Outcome: dsl.Landed, Stop: at.Current()})
	if err != nil {
		b.Fatal(err)
	}
	var body strings.Builder
	for len(text) > 4 {
		body.WriteString(piece(text[:4], ""))
		text = text[4:]
	}
	answer := body.String() + piece(text, stopped) + usageTold + done
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/tokenize" { // a token has four bytes
			var f struct{ Prompt string }
			json.NewDecoder(r.Body).Decode(&f)
			ids := make([]int, (len(f.Prompt)+3)/4)
			for i := range ids {
				ids[i] = 100000 + i
			}
			json.NewEncoder(w).Encode(map[string]any{"tokens": ids})
			return
		}
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, answer)
	}))
	defer s.Close()
	p := predictor(b, s.URL+"/v1", func(c *Config) { c.Model, c.Window, c.Prompt = "nd", 1<<20, mode })
	ask := func() {
		if _, err := p.Predict(b.Context(), backend.Question{At: at, Action: stepOver}, func(backend.Update) {}); err != nil {
			b.Fatal(err)
		}
	}
	ask() // tokenizes the text, which is then cached
	b.ReportAllocs()
	for b.Loop() {
		ask()
	}
}

// BenchmarkAppend measures how long it takes to append a step. The time should not depend on the length
// of the text.
func BenchmarkAppend(b *testing.B) {
	for _, tokens := range []int{1000, 16000} {
		b.Run(fmt.Sprint(tokens), func(b *testing.B) {
			at := long(b, tokens)
			step := dsl.Step{Action: stepOver, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: at.Current()}}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := at.Append(step); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
