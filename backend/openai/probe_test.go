package openai

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

// able is a server for completions whose fields switch its abilities.
type able struct {
	hides, noIDs, noTokenizer, noUsage, noCached, flat, takesAll bool
	returnsIDs, stopsAtIDs, logprobs, two                        bool
	schema                                                       string // the field of a schema that it obeys
	reply                                                        string
	seen                                                         [][]int
}

func (a *able) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var f map[string]any
	json.NewDecoder(r.Body).Decode(&f)
	switch r.URL.Path {
	case "/v1/models":
		io.WriteString(w, `{"data":[{"id":"nd"},{"id":"other"}]}`)
		return
	case "/tokenize":
		if a.noTokenizer {
			http.NotFound(w, r)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"tokens": tokenizer(f["prompt"].(string), false)})
		return
	}
	var ids []int
	switch prompt := f["prompt"].(type) {
	case string:
		ids = tokenizer(prompt, true)
	case []any:
		for _, id := range prompt {
			n, _ := id.(float64)
			ids = append(ids, int(n))
		}
		if a.noIDs {
			a.refuse(w, "prompt must be a string")
			return
		}
	default:
		if !a.takesAll {
			a.refuse(w, "prompt must be a string or a list")
			return
		}
	}
	text, finish := cmp.Or(a.reply, second2), "stop"
	if stop, ok := f["stop_token_ids"].([]any); ok && a.stopsAtIDs {
		if at := slices.Index(tokenizer(text, false), int(stop[0].(float64))); at >= 0 {
			text = text[:at]
		}
	}
	if f[a.schema] != nil {
		text = `"npdb"`
	}
	if a.hides {
		text = strings.NewReplacer("<|line_sep|>", "", "<|action_sep|>", "", "<|frame_sep|>", "").Replace(text)
	}
	choice := map[string]any{"index": 0, "text": text, "finish_reason": finish}
	if a.returnsIDs && f["return_token_ids"] == true {
		choice["token_ids"], choice["prompt_token_ids"] = tokenizer(text, false), ids
	}
	if a.logprobs && f["logprobs"] != nil {
		choice["logprobs"] = map[string]any{"tokens": []string{"a"}, "token_logprobs": []float64{0}}
	}
	choices := []any{choice}
	if a.two && f["n"] == 2.0 {
		choices = append(choices, map[string]any{"index": 1, "text": text, "finish_reason": finish})
	}
	body := map[string]any{"object": "text_completion", "choices": choices}
	if !a.noUsage {
		usage := map[string]any{"prompt_tokens": len(ids), "completion_tokens": 5}
		if !a.noCached {
			cached := 0
			if slices.ContainsFunc(a.seen, func(s []int) bool { return slices.Equal(s, ids) }) {
				cached = len(ids) / 16 * 16
			}
			usage["prompt_tokens_details"] = map[string]any{"cached_tokens": cached}
		}
		body["usage"] = usage
	}
	a.seen = append(a.seen, ids)
	data, _ := json.Marshal(body)
	if f["stream"] == true {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: "+string(data)+"\n\n"+done)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(data)
}

// second2 is the right reply to the probe's question.
const second2 = `<|line_sep|>{"x": "1"}<|action_sep|>2|y = x + 1` + "\n<|frame_sep|>"

func (a *able) refuse(w http.ResponseWriter, message string) {
	w.WriteHeader(http.StatusBadRequest)
	if a.flat {
		io.WriteString(w, `{"object":"error","message":"`+message+`","type":"BadRequestError","param":null,"code":400}`)
	} else {
		io.WriteString(w, `{"error":{"message":"`+message+`","type":"BadRequestError","param":null,"code":400}}`)
	}
}

func TestProbe(t *testing.T) {
	tests := []struct {
		name   string
		server able
		change func(*Config)
		want   map[string]Verdict // verdicts that differ from those of the first test
	}{
		{"all", able{returnsIDs: true, stopsAtIDs: true, logprobs: true, two: true, schema: "structured_outputs"}, nil, nil},
		{"none", able{hides: true, noIDs: true, noTokenizer: true, noUsage: true, takesAll: true}, func(c *Config) { c.Window = 99 }, map[string]Verdict{
			canSpeak: No, canShow: No, canOneID: Undecided, canBOS: Undecided, canTokenize: No, canTakeIDs: No, canReturnIDs: No,
			canStopAtID: Undecided, canLogprobs: No, canChooseTwo: No, canSchema: No, canTellUsage: No,
			canTellCached: Undecided, canTellFailure: Undecided, canTellWindow: Yes,
		}},
		{"llama-server", able{logprobs: true, two: true, schema: "json_schema"}, nil, map[string]Verdict{canReturnIDs: No, canStopAtID: No}},
		{"flat errors, cache not told", able{flat: true, noCached: true, returnsIDs: true, stopsAtIDs: true, logprobs: true, two: true, schema: "response_format"}, nil, map[string]Verdict{canTellCached: Undecided}},
		{"another answer", able{reply: `<|line_sep|>{"x": "7"}<|action_sep|>2|y = x + 1` + "\n<|frame_sep|>", returnsIDs: true, stopsAtIDs: true, logprobs: true, two: true, schema: "json_schema"}, nil, nil},
		{"prose", able{reply: "Hello there, how are you today?", returnsIDs: true, stopsAtIDs: true, logprobs: true, two: true, schema: "json_schema"}, nil, map[string]Verdict{canSpeak: No, canShow: No}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(&tt.server)
			t.Cleanup(s.Close)
			found, err := predictor(t, s.URL+"/v1", tt.change).Probe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			const ofOthers = 3 // capabilities of other dialects, which are not tested
			if want := len(meanings) - ofOthers; len(found.Items) != want || len(found.Rows()) != want {
				t.Errorf("%d capabilities of %d", len(found.Items), want)
			}
			for name, means := range meanings {
				want, ok := tt.want[name]
				if !ok {
					want = Yes
					if name == canStream || name == canTellWindow {
						want = No // this server streams one piece, and reports no window
					}
				}
				if name == canChat || name == canThink || name == canTrace {
					want = Undecided
				}
				if got := found.verdict(name); got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
				if means[0] == "" || means[1] == "" {
					t.Errorf("%s means nothing", name)
				}
			}
			if found.Usable() != (found.verdict(canSpeak) == Yes) || found.Model != "nd" || len(found.Models) != 2 {
				t.Errorf("%+v", found)
			}
			if _, err := json.Marshal(found); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestProbeFails(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	_, err := predictor(t, s.URL, func(c *Config) { c.Retries, c.Model = -1, "nd" }).Probe(t.Context())
	fails(t, err, backend.NoEndpoint, "/v1 at its end")
}

// TestLacks checks which capabilities count as missing.
func TestLacks(t *testing.T) {
	for _, tt := range []struct {
		name    string
		verdict Verdict
		want    bool
	}{
		{canStream, Yes, false},
		{canStream, No, true},
		{canTellCached, Undecided, true},
		{canThink, No, false},
		{canBOS, Undecided, false},
	} {
		if got := (Capability{Name: tt.name, Verdict: tt.verdict}).Lacks(); got != tt.want {
			t.Errorf("%s, %s: %v", tt.name, tt.verdict, got)
		}
	}
}
