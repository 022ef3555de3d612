package openai

import (
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestChatCorrects checks that after an invalid answer the model is asked once more, with a description
// of the error.
func TestChatCorrects(t *testing.T) {
	const bad = `{"outcome":"state","event":"line","line":7,"locals":[]}`
	for _, tt := range []struct {
		second string
		ok     bool
	}{{secondInChat, true}, {bad, false}, {"", false}} {
		n := 0
		s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
			n++
			switch {
			case n == 1:
				says(w, 200, said(bad))
			case tt.second == "":
				says(w, 400, `{"error":{"message":"message 3 is not to be wrong","type":"invalid_request_error"}}`)
			default:
				says(w, 200, said(tt.second))
			}
		})
		p := inChat(t, s, nil)
		got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		if n != 2 {
			t.Fatalf("it was asked %d times", n)
		}
		messages, _ := s.asked[1]["messages"].([]any)
		last, _ := messages[len(messages)-1].(map[string]any)
		if said, _ := last["content"].(string); !strings.Contains(said, "the program has no line 7") {
			t.Errorf("the correction says %q", said)
		}
		if !tt.ok {
			fails(t, err, backend.NoState, "the program has no line 7")
			continue
		}
		landed(t, got, err)
		if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "once more") {
			t.Errorf("it warns %q", got.Warnings)
		}
	}
}

// TestChatContradicts checks that the model is asked once more for a state that contradicts the
// program's source, and that the first answer is used if the second is invalid.
func TestChatContradicts(t *testing.T) {
	const wrong = `{"outcome":"state","event":"line","line":2,"locals":[{"name":"x","value":"7"}]}`
	contradictions := func(r dsl.Reply) []string {
		if r.Stop.Locals[0].Value == "1" {
			return nil
		}
		return []string{"locals.x"}
	}
	for _, tt := range []struct {
		name, second, value string
		discarded           int
	}{
		{"corrected", secondInChat, "1", 1},
		{"left", wrong, "7", 1},
		{"no state", "x is 1.", "7", 2}, // asked once more because of the invalid answer
		{"refused", "", "7", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
				n++
				switch {
				case n == 1:
					says(w, 200, said(wrong))
				case tt.second == "":
					says(w, 400, `{"error":{"message":"message 3 is not to be wrong","type":"invalid_request_error"}}`)
				default:
					says(w, 200, said(tt.second))
				}
			})
			got, err := inChat(t, s, nil).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver, Contradictions: contradictions}, nil)
			if err != nil {
				t.Fatal(err)
			}
			messages, _ := s.asked[1]["messages"].([]any)
			last, _ := messages[len(messages)-1].(map[string]any)
			if said, _ := last["content"].(string); !strings.Contains(said, "the local x") {
				t.Errorf("the correction says %q", said)
			}
			if value := got.Step.Reply.Stop.Locals[0].Value; value != tt.value || !strings.Contains(got.Raw, value) {
				t.Errorf("x is %s, as %s", value, got.Raw)
			}
			contradicted := 0
			for _, d := range got.Discarded {
				if d.Contradicted {
					contradicted++
				}
			}
			if len(got.Discarded) != tt.discarded || contradicted != min(tt.discarded, 1)*(2-tt.discarded) || len(got.Warnings) != 1 {
				t.Errorf("discarded %+v, warned %q", got.Discarded, got.Warnings)
			}
		})
	}
}
