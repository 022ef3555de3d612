package openai

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// contents returns the contents of a request's messages.
func contents(body map[string]any) (list []string) {
	messages, _ := body["messages"].([]any)
	for _, m := range messages {
		one, _ := m.(map[string]any)
		text, _ := one["content"].(string)
		list = append(list, text)
	}
	return list
}

// asksWord reports whether a request asks for the model's confidence, in its last message and in the
// schema.
func asksWord(t *testing.T, body map[string]any) bool {
	t.Helper()
	list := contents(body)
	asks := strings.Contains(list[len(list)-1], `"confidence"`)
	if asks != strings.Contains(fmt.Sprint(body["response_format"]), "confidence") {
		t.Errorf("the message asks: %v, and the schema is %v", asks, body["response_format"])
	}
	return asks
}

// TestOwnWord checks that the model is asked for its confidence if the server returns no log
// probabilities, from the second question on, and that earlier messages are not changed.
func TestOwnWord(t *testing.T) {
	none := func(int, map[string]any) string { return "" }
	odds := func(int, map[string]any) string {
		return `,"logprobs":{"content":[{"token":` + quoted(secondInChat) + `,"logprob":-0.1}]}`
	}
	for _, c := range []struct {
		name   string
		own    bool
		odds   func(n int, body map[string]any) string
		refuse bool // the server refuses the field logprobs
		word   string
		asked  []bool
		want   string // the confidence of each answer
	}{
		{"no probabilities", true, none, false, "80", []bool{false, true, true}, "- says 80% says 80%"},
		{"refused", true, none, true, "80", []bool{false, true, true}, "- says 80% says 80%"},
		{"probabilities", true, odds, false, "80", []bool{false, false, false}, "logprobs logprobs logprobs"},
		{"probabilities later", true, func(n int, body map[string]any) string { return []string{"", odds(n, body), odds(n, body)}[n] }, false, "80", []bool{false, true, false}, "- says 80% logprobs"},
		{"not wanted", false, none, false, "80", []bool{false, false, false}, "- - -"},
		{"not said", true, none, false, "", []bool{false, true, true}, "- - -"},
		{"no percentage", true, none, false, "180", []bool{false, true, true}, "- - -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := 0
			var taken []map[string]any
			s := chats(t, func(w http.ResponseWriter, body map[string]any) {
				if c.refuse && body["logprobs"] != nil {
					says(w, 400, `{"error":{"message":"logprobs are not supported","param":"logprobs","type":"invalid_request_error"}}`)
					return
				}
				answer := secondInChat
				if asksWord(t, body) && c.word != "" {
					answer = strings.TrimSuffix(answer, "}") + `,"confidence":` + c.word + "}"
				}
				taken = append(taken, body)
				says(w, 200, delta(content(answer), c.odds(n, body))+delta("", `,"finish_reason":"stop"`)+done)
				n++
			})
			p := inChat(t, s, func(config *Config) { config.Logprobs, config.OwnWord = true, c.own })
			at := node(t)
			var told []string
			for i, want := range c.asked {
				got, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if asksWord(t, taken[i]) != want {
					t.Errorf("question %d asks for it: %v", i, !want)
				}
				switch sure := got.Sureness; {
				case sure == nil:
					told = append(told, "-")
				case sure.By == backend.OwnWord:
					told = append(told, sure.Told(*sure.Whole))
				default:
					told = append(told, string(sure.By))
				}
				if (got.Confidence != nil) != (told[i] == "logprobs") && c.name != "probabilities later" {
					t.Errorf("question %d has the confidence %v", i, got.Confidence)
				}
				if i == 0 { // continue from the answer
					landed(t, got, err)
					if at, err = at.Append(got.Step); err != nil {
						t.Fatal(err)
					}
				}
			}
			if all := strings.Join(told, " "); all != c.want {
				t.Errorf("it says %s, want %s", all, c.want)
			}
			first, second := contents(taken[0]), contents(taken[1])
			if len(second) != len(first)+2 || !slices.Equal(second[:len(first)], first) {
				t.Errorf("the first question was\n%q\nand the second begins\n%q", first, second[:len(first)])
			}
		})
	}
}

// TestOwnWordUnasked checks that a confidence that was not asked for is ignored.
func TestOwnWordUnasked(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 200, said(strings.TrimSuffix(secondInChat, "}")+`,"confidence":80}`))
	})
	got, err := inChat(t, s, func(c *Config) { c.Logprobs, c.OwnWord = true, true }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	landed(t, got, err)
	if got.Sureness != nil || strings.Contains(got.Wire, "80") || got.Step.Reply.Outcome != dsl.Landed {
		t.Errorf("what was not asked counts: %+v, %s", got.Sureness, got.Wire)
	}
}
