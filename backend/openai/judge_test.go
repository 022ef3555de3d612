package openai

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

var judgedBlock = &chat.Block{
	Function: "f", First: 1, Source: []string{"def f(n):", "    return n"}, Lines: [2]int{2, 2}, In: []dsl.Local{{Name: "n", Value: "2"}},
}

// TestJudge checks the request for a verdict, replies that are not verdicts, and which models are asked.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []string
		correct bool
		why     string
		fails   string
		asked   int
	}{
		{"verdict", []string{`{"correct": false, "why": "returns n"}`}, false, "returns n", "", 1},
		{"corrected", []string{"I think so.", `{"correct": true, "why": ""}`}, true, "", "", 2},
		{"never", []string{"I think so.", "Yes."}, false, "", "there is no JSON object", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers := c.answers
			s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
				says(w, http.StatusOK, said(answers[0]))
				answers = answers[1:]
			})
			made, err := inChat(t, s, nil).Judge(t.Context(), judgedBlock)
			if len(s.asked) != c.asked {
				t.Errorf("%d requests", len(s.asked))
			}
			if c.fails != "" {
				var failure *backend.Error
				if err == nil || !errors.As(err, &failure) || !strings.Contains(err.Error(), c.fails) {
					t.Error(err)
				}
				return
			}
			if err != nil || made.Correct != c.correct || made.Why != c.why || made.Usage.Prompt <= 0 || len(made.Discarded) != c.asked-1 {
				t.Errorf("%+v, %v", made, err)
			}
			body, err := json.Marshal(s.asked[0])
			if err != nil || !strings.Contains(string(body), "VALUES BEFORE") || !strings.Contains(string(body), `"name":"judgement"`) {
				t.Errorf("%s, %v", body, err)
			}
		})
	}
	for _, d := range []Dialect{ND1, CWM} {
		s := chats(t, func(http.ResponseWriter, map[string]any) { t.Error("the model is asked") })
		_, err := inChat(t, s, func(c *Config) { c.Dialect = d }).Judge(t.Context(), judgedBlock)
		var failure *backend.Error
		if !errors.Is(err, backend.ErrNoJudge) || !errors.As(err, &failure) {
			t.Errorf("%v: %v", d, err)
		}
	}
}

// TestJudgeHidesSecrets checks that a server cannot show npdb's own credentials in a verdict.
func TestJudgeHidesSecrets(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, http.StatusOK, said(`{"correct": true, "why": "key-0123456789abcdef"}`))
	})
	made, err := inChat(t, s, func(c *Config) { c.Key = "key-0123456789abcdef" }).Judge(t.Context(), judgedBlock)
	if err != nil || strings.Contains(made.Why, "0123456789") {
		t.Errorf("%+v, %v", made, err)
	}
}
