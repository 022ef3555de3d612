package openai

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// tokensOf splits frames as a model's tokens: at special tokens, and elsewhere at spaces.
func tokensOf(text string) []string {
	var tokens []string
	for text != "" {
		n := 1
		for n < len(text) && text[n] != '<' && text[n] != ' ' && text[n] != '"' && text[n] != '\n' {
			n++
		}
		tokens = append(tokens, text[:n])
		text = text[n:]
	}
	return tokens
}

// inHalves returns a reply in which each token has the probability 1/2. That of the words in unknown is
// unknown.
func inHalves(shape, text string, unknown ...string) string {
	var b strings.Builder
	for _, token := range tokensOf(text) {
		p := fmt.Sprint(-math.Ln2)
		for _, word := range unknown {
			if strings.Contains(token, word) {
				p = "null"
			}
		}
		told := `"tokens":[` + quoted(token) + `],"token_logprobs":[` + p + `]`
		if shape == "content" {
			told = `"content":[{"token":` + quoted(token) + `,"logprob":` + p + `}]`
		}
		b.WriteString(piece(token, `,"logprobs":{`+told+`}`))
	}
	return b.String()
}

// halves lists the number of tokens on which each part depends.
func halves(s *backend.Sureness) string {
	if s == nil {
		return "none"
	}
	return fmt.Sprintf("event %s, line %s, x %s, a %s, f %s, value %s", power(s.Event), power(s.Line), power(s.Local("x")), power(s.Local("a")), power(s.Local("f")), power(s.Value))
}

// TestTracesTellSureness checks the confidence in each part of a state: it depends on all tokens that
// led to the part, in all replies.
func TestTracesTellSureness(t *testing.T) {
	into, over, back, end := dsl.Action{Move: dsl.StepInto}, dsl.Action{Move: dsl.StepOver}, dsl.Action{Move: dsl.StepReturn}, dsl.Action{Move: dsl.Continue}
	until := dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 2}}}
	withoutStop := func(text string) string { return strings.TrimSuffix(text, "<|frame_sep|>") }
	for _, shape := range []string{"completions", "content"} {
		first := inHalves(shape, tracedLine)
		for _, c := range []struct {
			name       string
			before     int // number of states before the action
			action     dsl.Action
			replies    []string
			want       string
			confidence float64 // in tokens; -1: none, -2: any
		}{
			{"one frame", 0, into, []string{first}, "event 1, line 4, x -, a -, f 7, value -", 13},
			{"the server keeps the stop", 0, into, []string{inHalves(shape, withoutStop(tracedLine)) + piece("", stopped)}, "event 1, line 4, x -, a -, f 7, value -", 12},
			{"over a call", 1, over, []string{inHalves(shape, tracedCall), inHalves(shape, tracedValue), inHalves(shape, tracedAfter)}, "event 2, line 15, x -, a 7, f 5, value -", 40},
			{"the return of a call", 2, back, []string{inHalves(shape, tracedValue)}, "event -, line 8, x -, a -, f -, value 2", 13},
			{"to a line", 1, until, []string{inHalves(shape, tracedCall+tracedBody)}, "event 2, line 11, x 10, a -, f -, value -", -2},
			{"past the line, at once", 1, until, []string{atOnce(shape, tracedCall+tracedBody+"<|return_sep|>"+tracedValue)}, "event 2, line 11, x 10, a -, f -, value -", -2},
			{"the end", 1, end, []string{inHalves(shape, tracedCall+tracedBody+"<|return_sep|>"+tracedValue+tracedAfter+tracedEnd)}, "event 5, line -, x -, a -, f -, value -", -2},
			{"an end within a function", 1, end, []string{inHalves(shape, tracedCall+"<|end_of_text|>")}, "event 2, line -, x -, a -, f -, value -", -2},
			{"a token is not known", 1, over, []string{inHalves(shape, tracedCall), inHalves(shape, tracedValue, "3"), inHalves(shape, tracedAfter)}, "event 2, line 15, x -, a -, f 5, value -", -1},
			{"a reply has none", 1, over, []string{inHalves(shape, tracedCall), piece(tracedValue, ""), inHalves(shape, tracedAfter)}, "event 2, line -, x -, a -, f 5, value -", -1},
			{"none", 0, into, []string{piece(tracedLine, stopped)}, "none", -1},
		} {
			t.Run(shape+"/"+c.name, func(t *testing.T) {
				replies := append([]string{first, inHalves(shape, tracedCall)}[:c.before], c.replies...)
				asked := 0
				s := server(t, func(w http.ResponseWriter, r *http.Request) {
					if !strings.HasSuffix(r.URL.Path, "/completions") {
						http.NotFound(w, r)
						return
					}
					streams(replies[asked]+done)(w, r)
					asked++
				})
				p := predictor(t, s.URL+"/v1", func(o *Config) { o.Dialect, o.Logprobs, o.Window = CWM, true, 9000 })
				at := tracedNode(t)
				for range c.before {
					at, _ = step(t, p, at, into)
				}
				got, err := p.Predict(t.Context(), backend.Question{At: at, Action: c.action}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if halves(got.Sureness) != c.want {
					t.Errorf("%s, want %s", halves(got.Sureness), c.want)
				}
				switch {
				case (got.Confidence == nil) != (c.confidence == -1):
					t.Errorf("confidence %v", got.Confidence)
				case c.confidence >= 0 && math.Abs(-math.Log2(*got.Confidence)-c.confidence) > 1e-9:
					t.Errorf("confidence of %v tokens, want %v", -math.Log2(*got.Confidence), c.confidence)
				}
			})
		}
	}
}

// atOnce returns a reply in one piece, whose tokens all have the probability 1/2.
func atOnce(shape, text string) string {
	var names, odds, content []string
	for _, token := range tokensOf(text) {
		names, odds = append(names, quoted(token)), append(odds, fmt.Sprint(-math.Ln2))
		content = append(content, fmt.Sprintf(`{"token":%s,"logprob":%v}`, quoted(token), -math.Ln2))
	}
	if shape == "content" {
		return piece(text, `,"logprobs":{"content":[`+strings.Join(content, ",")+`]}`)
	}
	return piece(text, `,"logprobs":{"tokens":[`+strings.Join(names, ",")+`],"token_logprobs":[`+strings.Join(odds, ",")+`]}`)
}

// TestTracesEndWhereTheyLand checks that frames after the landing of an action count neither for the
// text nor for the confidence.
func TestTracesEndWhereTheyLand(t *testing.T) {
	s := server(t, streams(atOnce("completions", tracedLine+tracedCall+tracedBody)+done))
	p := predictor(t, s.URL+"/v1", func(o *Config) { o.Dialect, o.Logprobs, o.Window = CWM, true, 9000 })
	got, err := p.Predict(t.Context(), backend.Question{At: tracedNode(t), Action: dsl.Action{Move: dsl.StepInto}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := math.Exp2(-float64(len(tokensOf(tracedLine)))); got.Raw != tracedLine || got.Confidence == nil || math.Abs(*got.Confidence-want) > 1e-12 {
		t.Errorf("%q, %v, want %v", got.Raw, got.Confidence, want)
	}
}

// TestTracesWithoutProbabilities checks that there is no confidence if log probabilities were not
// requested.
func TestTracesWithoutProbabilities(t *testing.T) {
	s := server(t, streams(inHalves("completions", tracedLine)+done))
	p := predictor(t, s.URL+"/v1", func(o *Config) { o.Dialect, o.Window = CWM, 9000 })
	got, err := p.Predict(t.Context(), backend.Question{At: tracedNode(t), Action: dsl.Action{Move: dsl.StepInto}}, nil)
	if err != nil || got.Sureness != nil || got.Confidence != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
