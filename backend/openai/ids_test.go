package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// tokenizer maps each character and each special token to a number. With addSpecial, number 1 comes
// first.
func tokenizer(text string, addSpecial bool) []int {
	var ids []int
	if addSpecial {
		ids = append(ids, 1)
	}
next:
	for text != "" {
		for _, t := range dsl.Tokens() {
			if rest, ok := strings.CutPrefix(text, dsl.ND1.Name(t)); ok {
				ids, text = append(ids, 1000+int(t)), rest
				continue next
			}
		}
		ids, text = append(ids, int(text[0])), text[1:]
	}
	return ids
}

func TestPromptAsIDs(t *testing.T) {
	var tokenized []string
	var prompts [][]int
	replyIDs := []int{7, 8, 9} // the model's own tokens, which differ from the tokenizer's
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"data":[{"id":"nd","max_model_len":100000}]}`)
	})
	mux.HandleFunc("POST /tokenize", func(w http.ResponseWriter, r *http.Request) {
		f := fields(t, r)
		if f["prompt"] != f["content"] || f["add_special"] != f["add_special_tokens"] || f["parse_special"] != true {
			t.Errorf("fields %v", f)
		}
		text := f["prompt"].(string)
		tokenized = append(tokenized, text)
		ids := tokenizer(text, f["add_special"].(bool))
		json.NewEncoder(w).Encode(map[string]any{"count": len(ids), "max_model_len": 100000, "tokens": ids})
	})
	mux.HandleFunc("POST /v1/completions", func(w http.ResponseWriter, r *http.Request) {
		f := fields(t, r)
		var ids []int
		for _, id := range f["prompt"].([]any) {
			ids = append(ids, int(id.(float64)))
		}
		prompts = append(prompts, ids)
		if f["return_token_ids"] != true {
			t.Errorf("fields %v", f)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, piece(second, fmt.Sprintf(`,"token_ids":[7,8,9],"prompt_token_ids":%s%s`, strings.ReplaceAll(fmt.Sprint(ids), " ", ","), stopped))+usageTold+done)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	p := predictor(t, s.URL+"/v1", func(c *Config) { c.Prompt = IDs })

	at := node(t)
	got, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := at.Prompt(stepOver)
	if want := tokenizer(first, true); !reflect.DeepEqual(prompts[0], want) {
		t.Errorf("first prompt\n%v, want\n%v", prompts[0], want)
	}
	calls := len(tokenized)

	next, err := at.Append(got.Step)
	if err != nil {
		t.Fatal(err)
	}
	// The reply is invalid there, but only the request matters.
	_, _ = p.Predict(t.Context(), backend.Question{At: next, Action: stepOver}, nil)
	want := slices.Concat(prompts[0], replyIDs, tokenizer("<|debug_sep|>step_over<|frame_sep|>", false))
	if !reflect.DeepEqual(prompts[1], want) {
		t.Errorf("second prompt\n%v, want\n%v", prompts[1], want)
	}
	if len(tokenized) != calls {
		t.Errorf("tokenized again: %q", tokenized[calls:])
	}
}

func TestIDsNeedATokenizer(t *testing.T) {
	p := predictor(t, server(t, streams(whole())).URL+"/v1", func(c *Config) { c.Prompt = IDs })
	_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	fails(t, err, backend.NoEndpoint, `"text"`)
}

func TestIDCacheIsBounded(t *testing.T) {
	c := newIDCache(10)
	c.put("a", make([]int, 4))
	c.put("b", make([]int, 4))
	c.get("a")
	c.put("c", make([]int, 4))
	if _, ok := c.get("b"); ok || c.size != 8 || len(c.byKey) != 2 {
		t.Errorf("size %d, %v", c.size, c.byKey)
	}
	c.put("d", make([]int, 40)) // larger than the limit: it stays as the only entry
	if c.size != 40 || c.used.Len() != 1 {
		t.Errorf("size %d", c.size)
	}
	c.put("d", nil)
	if ids, ok := c.get("d"); !ok || len(ids) != 40 {
		t.Error("the first numbers are not kept")
	}
}
