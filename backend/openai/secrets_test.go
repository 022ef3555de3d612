package openai

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	client "github.com/sashabaranov/go-openai"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestHiderInPieces checks that secrets are replaced however the reply is split into pieces, also if one
// secret begins with another.
func TestHiderInPieces(t *testing.T) {
	const key, longer = "sk-very-secret", "sk-very-secret-and-more"
	s := secrets{longer, key, "y-secretive"}
	for text, want := range map[string]string{
		"a " + key + ".":                "a [secret].",
		key:                             "[secret]",
		longer + key + "x":              "[secret][secret]x",
		"sk-vary sk-very-sec":           "sk-vary [secret]",
		"s sk sk-":                      "s sk sk-",
		"sk-ver" + key:                  "sk-ver[secret]",
		"is it a sk-very-secretive one": "is it a [secret]ive one",
		"say-secretive":                 "sa[secret]",
	} {
		for size := 1; size <= len(text); size++ {
			h := s.hide("")
			var got strings.Builder
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				got.WriteString(h.feed(rest[:n]))
				rest = rest[n:]
			}
			got.WriteString(h.rest())
			if got.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, size, got.String(), want)
			}
		}
	}
}

// TestHiderLeavesTheProgram checks that texts are not replaced if the prompt contains them, or if they
// are too short to be secrets.
func TestHiderLeavesTheProgram(t *testing.T) {
	s := secretsOf(Config{Key: "EMPTY", Headers: map[string]string{"X-Team": "red", "X-Token": "production"}}, endpoint{})
	h := s.hide("mode = 'production'")
	if got := h.in("{'EMPTY': 'shared', 'mode': 'production'}"); got != "{'EMPTY': 'shared', 'mode': 'production'}" {
		t.Errorf("%q", got)
	}
	h = s.hide("")
	if got := h.in("production"); got != hiddenSecret {
		t.Errorf("%q", got)
	}
}

// TestEchoesAreHidden checks that if the model repeats the key or a secret header, it is hidden
// everywhere: while it streams, in the state, in the raw text, and in the model's name.
func TestEchoesAreHidden(t *testing.T) {
	const header = "h3ad3r-s3cr3t"
	quoted, _ := json.Marshal(testKey)
	say := func(value string) string {
		return `<|line_sep|>{"x": "` + value + `"}<|action_sep|>2|y=3` + "\n<|frame_sep|>"
	}
	inPieces := func(text string) string {
		var b strings.Builder
		for len(text) > 0 {
			n := min(5, len(text))
			b.WriteString(piece(text[:n], ""))
			text = text[n:]
		}
		return b.String() + piece("", stopped) + done
	}
	for _, tt := range []struct {
		name, text string
		kind       backend.ErrorKind // 0: the reply is a state
	}{
		{"a value", say("'" + testKey + "'"), 0},
		{"a header", say("'" + header + "'"), 0},
		{"both", say("['" + testKey + "', '" + header + "']"), 0},
		{"prose", "Your key is " + testKey + ", is it not?", backend.NoState},
		{"JSON", `{"headers": [` + string(quoted) + `]}`, backend.NoState},
		{"cut within it", `<|line_sep|>{"x": "'` + testKey[:len(testKey)-2], backend.NoState},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := server(t, streams(inPieces(tt.text)))
			p := predictor(t, s.URL+"/v1", func(c *Config) {
				c.Retries, c.Key, c.Headers = -1, testKey, map[string]string{"X-Token": header}
			})
			var seen strings.Builder
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, func(u backend.Update) {
				seen.WriteString(u.Raw)
				if u.Reply.Stop != nil {
					for _, l := range u.Reply.Stop.Locals {
						seen.WriteString(l.Value)
					}
				}
			})
			if tt.kind == 0 {
				if err != nil {
					t.Fatal(err)
				}
				seen.WriteString(got.Raw + got.Step.Reply.Stop.Locals[0].Value)
			} else {
				e := fails(t, err, tt.kind)
				seen.WriteString(e.Raw + e.Message + e.Err.Error())
			}
			if strings.Contains(seen.String(), testKey[:len(testKey)-2]) || strings.Contains(seen.String(), header) {
				t.Errorf("a secret is seen: %s", seen.String())
			}
			if !strings.Contains(seen.String(), hiddenSecret) {
				t.Errorf("nothing tells that it is hidden: %s", seen.String())
			}
		})
	}
	t.Run("a model's name", func(t *testing.T) {
		s := server(t, streams(whole()))
		listed := http.NewServeMux()
		listed.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
			json.NewEncoder(w).Encode(map[string]any{"data": []any{map[string]any{"id": "nd of " + r.Header.Get("Authorization")}}})
		})
		listed.Handle("/", s.Config.Handler)
		s.Config.Handler = listed
		p := predictor(t, s.URL+"/v1", func(c *Config) { c.Key = testKey })
		if _, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil); err != nil {
			t.Fatal(err)
		}
		if m := p.Model().Name; m != "nd of Bearer [secret]" {
			t.Errorf("the model is called %q", m)
		}
	})
}

// TestHiddenRepliesKeepNoIDs checks that token numbers are not cached if a secret was replaced in their
// text.
func TestHiddenRepliesKeepNoIDs(t *testing.T) {
	s := secrets{testKey}
	in := &intake{sink: &stateSink{d: node(t).Decode(stepOver)}, hider: s.hide(""), reply: reply{idsWhole: true}, limit: 99, frameSep: dsl.ND1.Name(dsl.FrameSep)}
	if err := in.takeChoice(choice{CompletionChoice: client.CompletionChoice{Text: `<|line_sep|>{"x": "'` + testKey + `'"`}, TokenIDs: []int{1}}); err != nil {
		t.Fatal(err)
	}
	if in.reply.idsWhole {
		t.Error("they count as whole")
	}
}

// TestRedirectsAreNotFollowed checks that neither the key nor headers are sent to the target of a
// redirect.
func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			t.Errorf("HTTP %d: %s %s with %v", status, r.Method, r.URL, r.Header)
		}))
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+r.URL.Path, status)
		}))
		for _, model := range []string{"", "nd"} { // at /models, at /completions
			p := predictor(t, s.URL+"/v1", func(c *Config) {
				c.Retries, c.Model, c.Key, c.Headers = -1, model, testKey, map[string]string{"X-Token": "h3ad3r-s3cr3t"}
			})
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			fails(t, err, backend.NoEndpoint, other.URL)
			if _, err := p.Probe(t.Context()); err == nil {
				t.Error("a probe succeeds")
			}
		}
		s.Close()
		other.Close()
	}
}

// TestReasonsAreQuoted checks that the server's reason for an unknown state is quoted without secrets
// and control characters.
func TestReasonsAreQuoted(t *testing.T) {
	for reason, want := range map[string]string{
		"it was asked with ":              "asked with Bearer [secret]",
		strings.Repeat("because of ", 99): "because of",
	} {
		s := server(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set(reasonHeader, reason+r.Header.Get("Authorization"))
			streams(piece("<|unknown_sep|><|frame_sep|>", stopped)+done)(w, r)
		})
		p := predictor(t, s.URL+"/v1", func(c *Config) { c.Key = testKey })
		got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(got.Warnings, "\n")
		if strings.Contains(said, testKey) || len(said) > 400 || !strings.Contains(said, want) {
			t.Errorf("said: %s", said)
		}
	}
}
