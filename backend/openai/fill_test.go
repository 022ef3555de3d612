package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// call returns a first state at the call of f with arguments x, y and z. Only the value of y is known.
func call(t *testing.T) (*dsl.Node, *dsl.Stop) {
	t.Helper()
	program := &dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: []string{"def f(x, y, z):", "    return x"}}}}
	n, err := dsl.ND1.Begin(program)
	if err != nil {
		t.Fatal(err)
	}
	return n, &dsl.Stop{
		State: dsl.State{
			Event: dsl.Call, File: "p.py", Line: 1, Source: "def f(x, y, z):", Function: "f",
			Locals: []dsl.Local{{Name: "x"}, {Name: "y", Value: "2"}, {Name: "z"}},
		},
		Stack: []dsl.Frame{{Function: "f", File: "p.py", Line: 1}},
	}
}

// fields decodes a request's body.
func fields(t *testing.T, r *http.Request) map[string]any {
	t.Helper()
	var f map[string]any
	if err := json.NewDecoder(r.Body).Decode(&f); err != nil {
		t.Error(err)
	}
	return f
}

func TestFill(t *testing.T) {
	var prompts []string
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		prompts = append(prompts, fields(t, r)["prompt"].(string))
		w.Header().Set("Content-Type", "text/event-stream")
		// The value ends in the middle of a piece; a quote in it is escaped.
		io.WriteString(w, piece([]string{`'a\"`, `[1]`}[len(prompts)-1], "")+piece(`b'", "q`, "")+piece("more", "")+done)
	})
	p := predictor(t, s.URL+"/v1", nil)
	at, first := call(t)
	got, err := p.Fill(t.Context(), at, first, []int{0, 2}, backend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	for _, l := range got.First.Locals {
		values = append(values, l.Value)
	}
	if strings.Join(values, " ") != `'a"b' 2 [1]b'` {
		t.Errorf("%q", values)
	}
	if first.Locals[0].Value != "" || first.Locals[2].Value != "" {
		t.Error("the state that was given has changed")
	}
	if len(prompts) != 2 || !strings.HasSuffix(prompts[0], `{"x": "`) || !strings.HasSuffix(prompts[1], `{"x": "'a\"b'", "y": "2", "z": "`) {
		t.Errorf("%q", prompts)
	}
}

func TestFillFails(t *testing.T) {
	tests := []struct {
		name, stream string
		kind         backend.ErrorKind
		words        string
	}{
		{"declines", piece("<|unknown_sep|><|frame_sep|>", stopped) + done, backend.NoState, `declines to say a value for "x"`},
		{"no end", piece("'a", stopped) + done, backend.NoState, `not a value for "x"`},
		{"length", piece("'a", `,"finish_reason":"length"`) + done, backend.Endless, ""},
		{"cut", piece("'a", ""), backend.Cut, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := predictor(t, server(t, streams(tt.stream)).URL+"/v1", nil)
			at, first := call(t)
			_, err := p.Fill(t.Context(), at, first, []int{0}, backend.Options{})
			fails(t, err, tt.kind, tt.words)
		})
	}
}

// TestFillTook checks the usage that Fill reports: of replies with values, and separately of discarded
// replies.
func TestFillTook(t *testing.T) {
	told, untold := backend.Usage{Prompt: 30, Cached: 16, Completion: 12}, backend.Usage{Prompt: -1, Cached: -1, Completion: -1}
	value := piece(`'a'"`, stopped) + usageTold + done
	values := said(`{"values":[{"name":"x","value":"1"},{"name":"z","value":"2"}]}`)
	declined := piece("<|unknown_sep|><|frame_sep|>", stopped) + usageTold + done
	for _, tt := range []struct {
		name      string
		dialect   Dialect
		replies   []string
		fails     backend.ErrorKind // 0: the question succeeds
		took      []backend.Usage
		discarded []backend.Discarded
	}{
		{"a reply for each", ND1, []string{value, value}, 0, []backend.Usage{told, told}, nil},
		{"one for all", Chat, []string{values}, 0, []backend.Usage{told}, nil},
		{"one that broke off", ND1, []string{value, piece("'a", ""), value}, 0, []backend.Usage{told, told}, []backend.Discarded{{Usage: untold}}},
		{"one that was corrected", Chat, []string{said("no"), values}, 0, []backend.Usage{told}, []backend.Discarded{{Usage: told, Invalid: true}}},
		{"it declines the second", ND1, []string{value, declined}, backend.NoState, nil, []backend.Discarded{{Usage: told, Invalid: true}, {Usage: told}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			answers := func(w http.ResponseWriter, _ *http.Request) {
				says(w, 200, tt.replies[asked])
				asked++
			}
			p := predictor(t, both(t, answers, answers), func(c *Config) { inAuto(c); c.Dialect, c.Retries = tt.dialect, 1 })
			at, first := call(t)
			got, err := p.Fill(t.Context(), at, first, []int{0, 2}, backend.Options{})
			if tt.fails != 0 {
				fails(t, err, tt.fails)
				got = &backend.Filled{Discarded: backend.DiscardedBy(nil, err)}
			} else if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Took, tt.took) || !slices.Equal(got.Discarded, tt.discarded) {
				t.Errorf("it took %+v, in vain %+v; want %+v and %+v", got.Took, got.Discarded, tt.took, tt.discarded)
			}
		})
	}
}

// TestFillTellsHowSure checks confidences: that of a value is the product over its tokens with its
// quote, and that of all values the product over the values. If one value's is unknown, so is that of
// all.
func TestFillTellsHowSure(t *testing.T) {
	value := func(p1, p2 float64) string {
		return piece(`1`, fmt.Sprintf(`,"logprobs":{"tokens":["1"],"token_logprobs":[%v]}`, -p1*math.Ln2)) +
			piece(`"}`, fmt.Sprintf(`,"logprobs":{"tokens":["\"}"],"token_logprobs":[%v]}`, -p2*math.Ln2))
	}
	inChat := func(names ...string) string {
		return spelled("chat", names...) + delta("", `,"finish_reason":"stop"`) + done
	}
	for _, tt := range []struct {
		name        string
		dialect     Dialect
		replies     []string
		whole, x, z string
	}{
		{"texts", ND1, []string{value(1, 2) + done, value(3, 1) + done}, "7", "3", "4"},
		{"one is not told", ND1, []string{value(1, 2) + done, piece(`1"`, "") + done}, "-", "3", "-"},
		{"none is told", ND1, []string{piece(`1"`, "") + done, piece(`1"`, "") + done}, "-", "-", "-"},
		{"chat", Chat, []string{inChat(`{"values":[{"name":"`, `x","value":"`, `1"`, `},{"name":"`, `z","value":"`, `2"}`, `]}`)}, "21", "6", "15"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			answers := func(w http.ResponseWriter, _ *http.Request) {
				says(w, 200, tt.replies[asked])
				asked++
			}
			p := predictor(t, both(t, answers, answers), func(c *Config) { inAuto(c); c.Dialect, c.Logprobs = tt.dialect, true })
			at, first := call(t)
			got, err := p.Fill(t.Context(), at, first, []int{0, 2}, backend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if power(got.Confidence) != tt.whole || power(got.Sureness.Local("x")) != tt.x || power(got.Sureness.Local("z")) != tt.z {
				t.Errorf("all %s, x %s, z %s", power(got.Confidence), power(got.Sureness.Local("x")), power(got.Sureness.Local("z")))
			}
		})
	}
}

// TestFillIsBounded checks the limits of a value in tokens and in bytes.
func TestFillIsBounded(t *testing.T) {
	long := strings.Repeat("1", backend.MostFilledBytes+1)
	for _, tt := range []struct {
		name    string
		dialect Dialect
		reply   string
		words   string
	}{
		{"tokens", ND1, piece("1, ", `,"finish_reason":"length"`) + strings.ReplaceAll(usageTold, "12,", "512,") + done, `the value that the model makes up for "x" exceeds the limit of 512 tokens: give it one, as in --entry 'f(x=1)'`},
		{"bytes", ND1, piece(long+`"`, stopped) + done, `the limit of 8192 bytes`},
		{"bytes by chat", Chat, said(`{"values":[{"name":"x","value":"` + long + `"}]}`), `the limit of 8192 bytes`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var limit any
			answers := func(w http.ResponseWriter, r *http.Request) {
				limit = fields(t, r)["max_tokens"]
				says(w, 200, tt.reply)
			}
			p := predictor(t, both(t, answers, answers), func(c *Config) { inAuto(c); c.Dialect = tt.dialect })
			at, first := call(t)
			_, err := p.Fill(t.Context(), at, first, []int{0}, backend.Options{})
			fails(t, err, backend.Endless, tt.words)
			if tt.dialect == ND1 && limit != float64(backend.MostFilledTokens) {
				t.Errorf("it is asked for %v tokens", limit)
			}
		})
	}
}
