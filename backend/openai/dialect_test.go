package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestAuto checks which dialect Auto finds with the first question, and that it warns about it once.
func TestAuto(t *testing.T) {
	rambling := piece("x = 1 means that x is one. ", "")
	for _, tt := range []struct {
		name        string
		completions string // "" for none
		status      int    // of responses to completions
		chat        bool   // the server has a chat endpoint
		asked       string // the requests for two questions: c for a completion, h for a chat
		warns       string
		fails       backend.ErrorKind // of the first question; 0 if it succeeds
	}{
		{"nd/1", whole(), 200, true, "cc", "", 0},
		{"chat alone, in JSON", `{"error":{"message":"This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?","type":"invalid_request_error","param":"model","code":null}}`, 404, true, "chh", "chat alone", 0},
		{"Azure, a model that chats", `{"error":{"code":"OperationNotSupported","message":"The completion operation does not work with the specified model, nd. Please choose different model and try again."}}`, 400, true, "chh", "refuses texts of nd/1", 0},
		{"DeepSeek", `{"error":{"message":"completions api is only available when using beta api (set base_url=\"https://api.deepseek.com/beta\")","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`, 400, true, "chh", "refuses texts of nd/1", 0},
		{"chat alone, without a page", "", 404, true, "chh", "chat alone", 0},
		{"a chat model behind completions", strings.Repeat(rambling, 3000), 200, true, "chh", "does not speak nd/1", 0},
		{"a model that says nothing", piece("", `,"finish_reason":"stop"`) + done, 200, true, "chh", "does not speak nd/1", 0},
		{"a faulty state is nd/1 all the same", piece(`<|line_sep|>{"x": "1"}<|action_sep|>7|z<|frame_sep|>`, stopped) + done, 200, true, "cc", "", backend.NoState},
		{"neither", rambling + done, 200, false, "ch", "", backend.NoState},
		{"a model that is not there", `{"error":{"message":"The model nd does not exist","type":"NotFoundError","code":404}}`, 404, true, "cc", "", backend.NoModel},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var asked strings.Builder
			mux := http.NewServeMux()
			mux.HandleFunc("POST /v1/completions", func(w http.ResponseWriter, _ *http.Request) {
				asked.WriteByte('c')
				says(w, tt.status, tt.completions)
			})
			mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
				var body struct {
					Messages []any `json:"messages"`
				}
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				switch {
				case !tt.chat:
					asked.WriteByte('h')
					http.NotFound(w, r)
				case len(body.Messages) == 0: // the request that checks whether there is a chat endpoint
					says(w, 400, `{"error":{"message":"messages must not be empty","type":"invalid_request_error"}}`)
				default:
					asked.WriteByte('h')
					says(w, 200, said(secondInChat))
				}
			})
			mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusNotFound)
				io.WriteString(w, "no such page")
			})
			s := httptest.NewServer(mux)
			t.Cleanup(s.Close)
			p := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Model, c.Retries = Auto, "nd", -1 })
			q := backend.Question{At: node(t), Action: stepOver}
			got, err := p.Predict(t.Context(), q, func(backend.Update) {})
			if tt.fails != 0 {
				fails(t, err, tt.fails)
			} else {
				landed(t, got, err)
				if text := strings.Join(got.Warnings, "\n"); (tt.warns == "") != (text == "") || !strings.Contains(text, tt.warns) {
					t.Errorf("it warns %q", got.Warnings)
				}
			}
			if tt.name != "neither" {
				if got, err = p.Predict(t.Context(), q, nil); err == nil && len(got.Warnings) > 0 {
					t.Errorf("it warns again: %q", got.Warnings)
				}
			}
			if asked.String() != tt.asked {
				t.Errorf("it was asked %s, want %s", asked.String(), tt.asked)
			}
			named := map[string]string{"cc": "nd/1", "chh": "chat"}[tt.asked]
			if tt.fails != 0 {
				named = "" // no dialect was found
			}
			if got := p.Model().Dialect; got != named {
				t.Errorf("it is said to be asked by %q, not %q", got, named)
			}
		})
	}
}

// TestDialectStays checks that a configured dialect is not changed.
func TestDialectStays(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		says(w, 400, `{"error":{"message":"messages must not be empty","type":"invalid_request_error"}}`)
	})
	p := predictor(t, s.URL+"/v1", func(c *Config) { c.Dialect, c.Retries = ND1, -1 })
	if got := p.Model().Dialect; got != "nd/1" {
		t.Errorf("it is said to be asked by %q", got)
	}
	_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	fails(t, err, backend.NoEndpoint, "answers chat alone", "--dialect chat")
	if _, err := New(Config{BaseURL: s.URL, Dialect: "cobol"}); err == nil || !strings.Contains(err.Error(), "cobol") {
		t.Errorf("the error is %v", err)
	}
}

// both returns the address of a server with completions and chats.
func both(t *testing.T, completions, chat http.HandlerFunc) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/completions", completions)
	mux.HandleFunc("POST /v1/chat/completions", chat)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func always(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { says(w, status, body) }
}

func inAuto(c *Config) { c.Dialect, c.Model, c.Retries = Auto, "nd", -1 }

const chatOnlyTold = `{"error":{"message":"This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?","type":"invalid_request_error"}}`

// TestRestartedByChat checks that text shown from a completion is declared void if a chat follows, and
// only then.
func TestRestartedByChat(t *testing.T) {
	for _, tt := range []struct {
		name, completions string
		dialect           Dialect
		void              int
	}{
		{"a chat from the start", "", Chat, 0},
		{"a text that was refused", chatOnlyTold, Auto, 0},
		{"a text that was shown", piece("x is one", stopped) + done, Auto, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status := 200
			if strings.HasPrefix(tt.completions, "{") {
				status = 404
			}
			url := both(t, always(status, tt.completions), always(200, said(secondInChat)))
			void, text := 0, ""
			got, err := predictor(t, url, func(c *Config) { inAuto(c); c.Dialect = tt.dialect }).Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, func(u backend.Update) {
				text += u.Raw
				if u.Restarted {
					void++
					text = ""
				}
			})
			landed(t, got, err)
			if void != tt.void || strings.Contains(text, "one") {
				t.Errorf("restarted %d times, want %d; shown then: %q", void, tt.void, text)
			}
		})
	}
}

// unfilled returns a first state that is a call whose argument has no value.
func unfilled(t testing.TB) (*dsl.Node, *dsl.Stop) {
	t.Helper()
	n, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Lines: []string{"def f(a):", "    return a"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return n, &dsl.Stop{
		State: dsl.State{Event: dsl.Call, Line: 1, Source: "def f(a):", Function: "f", Locals: []dsl.Local{{Name: "a"}}},
		Stack: []dsl.Frame{{Function: "f", Line: 1}},
	}
}

// TestAutoFills checks that a value does not decide the dialect, since any model can end a value with a
// quote. The warning about the dialect comes with the first prediction, because Fill returns no
// warnings.
func TestAutoFills(t *testing.T) {
	n, first := unfilled(t)
	chatted := func(w http.ResponseWriter, r *http.Request) {
		body := fields(t, r)
		if schema, _ := json.Marshal(body["response_format"]); strings.Contains(string(schema), `"name":"values"`) {
			says(w, 200, said(`{"values":[{"name":"a","value":"1"}]}`))
			return
		}
		says(w, 200, said(secondInChat))
	}
	for name, completions := range map[string]http.HandlerFunc{
		"a value by text":   func(w http.ResponseWriter, _ *http.Request) { says(w, 200, piece(`1", and so on`, stopped)+done) },
		"words":             func(w http.ResponseWriter, _ *http.Request) { says(w, 200, piece("well,\nno", stopped)+done) },
		"the chat is alone": always(404, chatOnlyTold),
	} {
		t.Run(name, func(t *testing.T) {
			p := predictor(t, both(t, completions, chatted), inAuto)
			if whole, err := p.Fill(t.Context(), n, first, []int{0}, backend.Options{}); err != nil || whole.First.Locals[0].Value != "1" {
				t.Fatalf("%+v, %v", whole, err)
			}
			got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			landed(t, got, err)
			if told := strings.Join(got.Warnings, "\n"); !strings.Contains(told, "asked by chat from now on") {
				t.Errorf("it warns %q", got.Warnings)
			}
		})
	}
}

// TestAutoFails checks the error if a chat was tried after a completion and failed too.
func TestAutoFails(t *testing.T) {
	prose := piece("x is one", stopped) + done
	for _, tt := range []struct {
		name        string
		status      int
		completions string
		chatStatus  int
		chat        string
		kind        backend.ErrorKind
		words, not  string
		settles     Dialect
	}{
		{"chat alone, and no state", 404, chatOnlyTold, 200, said("no"), backend.NoState, "no JSON object", "nd/1", Chat},
		{"chat alone, and no such route", 404, chatOnlyTold, 404, `{"error":{"message":"No endpoints found for this","code":404}}`, backend.NoEndpoint, "No endpoints found", "--dialect chat", Auto},
		{"neither is understood", 200, prose, 200, said("no"), backend.NoState, "does not speak nd/1, and by chat the model's answer is no state", "", Auto},
		{"both are refused", 400, `{"error":{"message":"the first word"}}`, 400, `{"error":{"message":"the last word"}}`, backend.BadRequest, "the first word", "the last word", Auto},
		{"refused, and no state", 400, `{"error":{"message":"the first word"}}`, 200, said("no"), backend.BadRequest, "the first word", "", Auto},
		{"vLLM, a model without a template", 200, prose, 400, `{"error":{"message":"As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template if the tokenizer does not define one.","type":"BadRequestError","code":400}}`, backend.BadRequest, "does not speak nd/1, and by chat", "", Auto},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := predictor(t, both(t, always(tt.status, tt.completions), always(tt.chatStatus, tt.chat)), inAuto)
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if e := fails(t, err, tt.kind, tt.words); tt.not != "" && strings.Contains(e.Message, tt.not) {
				t.Errorf("%q is in the message: %s", tt.not, e.Message)
			}
			if got := p.dialect(); got != tt.settles {
				t.Errorf("it goes on by %s, want %s", got, tt.settles)
			}
		})
	}
}

// TestAutoAtOnce checks that concurrent questions find one dialect, and that there is one warning.
func TestAutoAtOnce(t *testing.T) {
	p := predictor(t, both(t, always(200, piece("x is one", stopped)+done), always(200, said(secondInChat))), inAuto)
	var told atomic.Int32
	var all sync.WaitGroup
	at := node(t)
	for range 8 {
		all.Go(func() {
			got, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, func(backend.Update) {})
			if err != nil {
				t.Error(err)
				return
			}
			told.Add(int32(len(got.Warnings)))
		})
	}
	all.Wait()
	if told.Load() != 1 || p.dialect() != Chat {
		t.Errorf("told %d times; it goes on by %s", told.Load(), p.dialect())
	}
}
