package openai

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

// spelled returns the stream of a reply in tokens; the i-th has the probability 2^-(i+1).
func spelled(shape string, tokens ...string) string {
	var b strings.Builder
	for i, token := range tokens {
		p := -float64(i+1) * math.Ln2
		switch shape {
		case "completions":
			b.WriteString(piece(token, fmt.Sprintf(`,"logprobs":{"tokens":[%s],"token_logprobs":[%v]}`, quoted(token), p)))
		case "content":
			b.WriteString(piece(token, fmt.Sprintf(`,"logprobs":{"content":[{"token":%s,"logprob":%v}]}`, quoted(token), p)))
		case "chat":
			b.WriteString(delta(content(token), fmt.Sprintf(`,"logprobs":{"content":[{"token":%s,"logprob":%v}]}`, quoted(token), p)))
		}
	}
	return b.String()
}

// power returns the n for which p is 2^-n, "-" if p is unknown.
func power(p *float64) string {
	if p == nil {
		return "-"
	}
	return fmt.Sprintf("%.4g", -math.Log2(*p))
}

// each lists the confidence in each part as a power of a half, "-" if it is unknown.
func each(s *backend.Sureness) string {
	if s == nil {
		return "none"
	}
	return fmt.Sprintf("event %s, function %s, line %s, x %s, value %s", power(s.Event), power(s.Function), power(s.Line), power(s.Local("x")), power(s.Value))
}

// TestSureness checks that the confidence in a part is the product over the tokens that overlap it, in
// both forms of log probabilities.
func TestSureness(t *testing.T) {
	tokens := []string{"<|line_sep|>", `{"x`, `": "`, `1"}`, "<|action_sep|>", "2", "|y=3\n", "<|frame_sep|>"}
	for _, shape := range []string{"completions", "content"} {
		for _, c := range []struct{ name, stream, want string }{
			{"whole", spelled(shape, tokens...), "event 1, function -, line 13, x 9, value -"},
			{"one token for all", spelled(shape, strings.Join(tokens, "")), "event 1, function -, line 1, x 1, value -"},
			{"one is not known", strings.Replace(spelled(shape, tokens...), fmt.Sprint(-3*math.Ln2), "-9999", 1), "event 1, function -, line 13, x -, value -"},
			{"one is null", strings.Replace(spelled(shape, tokens...), fmt.Sprint(-6*math.Ln2), "null", 1), "event 1, function -, line -, x 9, value -"},
			{"the end is kept", spelled(shape, tokens[:7]...) + piece("", stopped), "event 1, function -, line 13, x 9, value -"},
			{"none are told of one piece", spelled(shape, tokens[:2]...) + piece(tokens[2], "") + spelled(shape, tokens[3:]...), "none"},
			{"none are told", piece(second, ""), "none"},
		} {
			t.Run(shape+"/"+c.name, func(t *testing.T) {
				p := predictor(t, server(t, streams(c.stream+done)).URL+"/v1", func(c *Config) { c.Logprobs = true })
				got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if each(got.Sureness) != c.want {
					t.Errorf("%s, want %s", each(got.Sureness), c.want)
				}
			})
		}
	}
}

// TestSurenessByChat checks the same for a chat's JSON, where a token that ends a number counts for it.
func TestSurenessByChat(t *testing.T) {
	tokens := []string{`{"outcome":"`, `state","event":"`, `line","line":`, `2`, `,"function":null,"locals":[{"name":"`, `x","value":"`, `1"}`, `]}`}
	for _, c := range []struct{ name, body, want string }{
		// The token that ends the string "state" begins "line".
		{"whole", spelled("chat", tokens...), "event 6, function 5, line 9, x 18, value -"},
		{"with the end of the turn", spelled("chat", append(tokens, "")...), "event 6, function 5, line 9, x 18, value -"},
		{"one is not known", strings.Replace(spelled("chat", tokens...), fmt.Sprint(-4*math.Ln2), "null", 1), "event 6, function 5, line -, x 18, value -"},
		{"none are told", said(secondInChat), "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
				says(w, 200, c.body+delta("", `,"finish_reason":"stop"`)+done)
			})
			got, err := inChat(t, s, func(c *Config) { c.Logprobs = true }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			landed(t, got, err)
			if each(got.Sureness) != c.want {
				t.Errorf("%s, want %s", each(got.Sureness), c.want)
			}
		})
	}
}

// TestSurenessOfPartsOfACharacter checks tokens that are parts of a character. They need the bytes that
// the server reports.
func TestSurenessOfPartsOfACharacter(t *testing.T) {
	before, after, _ := strings.Cut(strings.Replace(second, `"1"`, `"'ä'"`, 1), "ä")
	for _, c := range []struct{ name, a, b, want string }{
		{"as bytes", `{"token":"","bytes":[195],"logprob":-1}`, `{"token":"","bytes":[164],"logprob":-1}`, "known"},
		{"as vLLM has them", `{"token":"bytes:\\xc3","logprob":-1}`, `{"token":"bytes:\\xa4","logprob":-1}`, "none"},
		{"as what stands for such", `{"token":"\ufffd","logprob":-1}`, `{"token":"\ufffd","logprob":-1}`, "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			stream := spelled("content", before) + piece("ä", `,"logprobs":{"content":[`+c.a+`,`+c.b+`]}`) + spelled("content", after)
			p := predictor(t, server(t, streams(stream+done)).URL+"/v1", func(c *Config) { c.Logprobs = true })
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if (each(got.Sureness) == "none") != (c.want == "none") || got.Confidence == nil {
				t.Errorf("%s, want %s; confidence %v", each(got.Sureness), c.want, got.Confidence)
			}
		})
	}
}
