package doctor

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
)

// server is a server with given capabilities.
type server struct {
	found *openai.Capabilities
	err   error
}

func (s server) Probe(context.Context) (*openai.Capabilities, error) { return s.found, s.err }
func (s server) Model() backend.Model                                { return backend.Model{Place: "http://127.0.0.1:1/v1"} }
func (s server) Close() error                                        { return nil }

func item(name string, v openai.Verdict) openai.Capability {
	return openai.Capability{Name: name, Verdict: v, Seen: "seen", Means: "what follows"}
}

func asking(t *testing.T, s server) []Fact {
	t.Helper()
	g := &Given{
		Config:   loaded(t, "[model]\nbase_url = 'http://127.0.0.1:1/v1'\nkey = 'sk-sEcret'\ndialect = 'nd1'\n"),
		Endpoint: func(config.Model) (Server, error) { return s, nil },
	}
	facts := g.model(t.Context())
	documented(t, "model", facts)
	return facts
}

func TestEndpoint(t *testing.T) {
	facts := asking(t, server{found: &openai.Capabilities{Model: "nd", Models: []string{"nd", "other"}, Items: []openai.Capability{
		item("speaks nd/1", openai.Yes), item("streams", openai.No), item("thinks first", openai.No), item("prefix cache", openai.Undecided),
	}}})
	wants(t, fact(t, facts, "model", ""), Right, "nd")
	wants(t, fact(t, facts, "endpoint", ""), Right, "http://127.0.0.1:1/v1")
	wants(t, fact(t, facts, "dialect", ""), Right, "nd1")
	wants(t, fact(t, facts, "key", ""), Right, "set, from ")
	wants(t, fact(t, facts, "others", ""), Right, "other")
	wants(t, fact(t, facts, "answer", ""), Right, "can be stepped")
	wants(t, fact(t, facts, "capability", "speaks nd/1"), Right, "yes, seen: what follows")
	valued(t, facts, map[string]string{
		"key": "true", "others": `["other"]`, "capability": `{"name":"speaks nd/1","verdict":"yes","seen":"seen","means":"what follows"}`,
	})
	wants(t, fact(t, facts, "capability", "streams"), Note, "no, seen")
	wants(t, fact(t, facts, "capability", "thinks first"), Right, "no, seen")
	wants(t, fact(t, facts, "capability", "prefix cache"), Note, "unknown, seen")
}

// TestEndpointFails checks that npdb doctor fails if the model cannot predict steps, or
// the server cannot be reached.
func TestEndpointFails(t *testing.T) {
	for words, s := range map[string]server{
		"cannot be stepped":         {found: &openai.Capabilities{Model: "nd", Items: []openai.Capability{item("speaks nd/1", openai.No)}}},
		"wants a key":               {err: errors.New("it wants a key")},
		"no answer within 2m0s (--": {err: context.DeadlineExceeded},
	} {
		f := fact(t, asking(t, s), "answer", "")
		wants(t, f, Wrong, words)
		if !f.Fails || f.Do == "" {
			t.Errorf("%+v", f)
		}
	}
	g := &Given{
		Config:   loaded(t, "[model]\nbase_url = 'http://127.0.0.1:1/v1'\n"),
		Endpoint: func(config.Model) (Server, error) { return nil, errors.New("no such format") },
	}
	facts := g.model(t.Context())
	wants(t, fact(t, facts, "key", ""), Right, "none")
	valued(t, facts, map[string]string{"key": "false"})
	f := fact(t, facts, "answer", "")
	if wants(t, f, Wrong, "no such format"); !f.Fails {
		t.Error("npdb does not fail for it")
	}
}

// TestRemembered checks that the detected dialect is reported, with the one before it and
// how to forget it.
func TestRemembered(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 5, d, 12, 0, 0, 0, time.UTC) }
	learnt := func(d openai.Dialect, on int) openai.Learnt {
		return openai.Learnt{Dialect: d, Why: "The server answers chat alone", When: day(on)}
	}
	was := learnt(openai.Chat, 2)
	for _, tt := range []struct {
		name  string
		found openai.Found
		mark  Mark
		text  string
		value string
	}{
		{"for the first time", openai.Found{Learnt: learnt(openai.Chat, 1)}, Right, "asked by chat. The server answers chat alone", `{"dialect":"chat","why":"The server answers chat alone","when":"2026-05-01T12:00:00Z"}`},
		{"as before", openai.Found{Learnt: learnt(openai.Chat, 3), Before: &was}, Right, "asked by chat, as on 2026-05-02. The server", ""},
		{"otherwise", openai.Found{Learnt: learnt(openai.ND1, 3), Before: &was}, Note, "asked by nd/1; since 2026-05-02 it was chat. The server", ""},
		{"forgotten", openai.Found{Before: &was}, Note, "nothing any more, for it cannot be stepped; since 2026-05-02 it was chat", ""},
		{"not kept", openai.Found{Learnt: learnt(openai.Chat, 1), Unkept: "the disk is full"}, Note, "chat alone (the disk is full)", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := &Given{
				Config: loaded(t, "[model]\nbase_url = 'http://127.0.0.1:1/v1'\n"), Dialects: "/state/dialects.json",
				Endpoint: func(config.Model) (Server, error) {
					return server{found: &openai.Capabilities{Model: "nd", Asked: &tt.found, Items: []openai.Capability{item("speaks nd/1", openai.Yes)}}}, nil
				},
			}
			facts := g.model(t.Context())
			documented(t, "model", facts)
			f := fact(t, facts, "remembered", "")
			if wants(t, f, tt.mark, tt.text); (tt.found.Dialect != "") != strings.Contains(f.Do, "/state/dialects.json") {
				t.Errorf("to do: %q", f.Do)
			}
			if tt.value != "" {
				valued(t, facts, map[string]string{"remembered": tt.value})
			}
		})
	}
}

// TestProxy checks that a proxy is reported by its variable, and that nothing is reported
// without one.
func TestProxy(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"} {
		t.Setenv(name, "")
	}
	// http.ProxyFromEnvironment reads the environment only once.
	of := func(r *http.Request) (*url.URL, error) { return httpproxy.FromEnvironment().ProxyFunc()(r.URL) }
	far := backend.Model{Place: "https://models.example/v1", Away: true}
	if facts := proxy(far, of); facts != nil {
		t.Errorf("%+v", facts)
	}
	t.Setenv("HTTPS_PROXY", "http://me:pAssw0rd@proxy.example:3128")
	facts := proxy(far, of)
	documented(t, "model", facts)
	wants(t, fact(t, facts, "proxy", ""), Note, "the proxy of HTTPS_PROXY")
	if strings.Contains(facts[0].Text+facts[0].Do, "pAssw0rd") || facts[0].Do == "" {
		t.Errorf("%+v", facts)
	}
	if facts := proxy(backend.Model{Place: "https://127.0.0.1/v1"}, of); facts != nil {
		t.Errorf("%+v", facts)
	}
	t.Setenv("NO_PROXY", "models.example")
	if facts := proxy(far, of); facts != nil {
		t.Errorf("%+v", facts)
	}
}

// TestEndpointRefuses checks a server whose refusal repeats the key. The key must not
// appear in the report.
func TestEndpointRefuses(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"no access for `+r.Header.Get("Authorization")+`"}}`)
	}))
	t.Cleanup(s.Close)
	g := &Given{Config: loaded(t, "[model]\nbase_url = '"+s.URL+"/v1'\nkey = 'sk-sEcret'\n")}
	g.Endpoint = func(config.Model) (Server, error) {
		return openai.New(openai.Config{BaseURL: s.URL + "/v1", Key: "sk-sEcret", Retries: -1})
	}
	facts := g.model(t.Context())
	wants(t, fact(t, facts, "endpoint", ""), Right, s.URL)
	f := fact(t, facts, "answer", "")
	if wants(t, f, Wrong, "key"); strings.Contains(f.Text, "sEcret") {
		t.Error(f.Text)
	}
}

// TestOwnModel checks the model in the binary. It is not an error if a build has none.
func TestOwnModel(t *testing.T) {
	g := &Given{Config: loaded(t, ""), Own: func() (backend.Predictor, error) { return embedded.Shipped(embedded.Config{}) }}
	facts := g.model(t.Context())
	documented(t, "model", facts)
	if !embedded.HasModel() {
		wants(t, fact(t, facts, "model", ""), Note, "carries no model")
		return
	}
	wants(t, fact(t, facts, "model", ""), Right, "npdb's own, 31 MB")
	wants(t, fact(t, facts, "answer", ""), Right, "is right, in ")
	wants(t, fact(t, facts, "measured", ""), Right, "step_over is right in ")
	k := fact(t, facts, "kernels", "")
	if want := map[bool]Mark{true: Note, false: Right}[embedded.Kernels() == "portable"]; k.Mark != want || !strings.HasPrefix(k.Text, embedded.Kernels()) {
		t.Errorf("%+v", k)
	}
}

// predictor always returns this answer.
type predictor struct {
	backend.Predictor
	reply dsl.Reply
	err   error
}

func (p predictor) Predict(context.Context, backend.Question, func(backend.Update)) (*backend.Prediction, error) {
	return &backend.Prediction{Step: dsl.Step{Reply: p.reply}, Took: 7 * time.Millisecond}, p.err
}

// TestAnswer checks a right and a wrong prediction for x = 1. npdb works with either.
func TestAnswer(t *testing.T) {
	stop := func(line int, locals ...dsl.Local) dsl.Reply {
		return dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{State: dsl.State{Line: line, Locals: locals}}}
	}
	one, two := dsl.Local{Name: "x", Value: "1"}, dsl.Local{Name: "x", Value: "2"}
	for _, tt := range []struct {
		name  string
		reply dsl.Reply
		mark  Mark
	}{
		{"right", stop(2, one), Right},
		{"another line", stop(3, one), Note},
		{"another value", stop(2, two), Note},
		{"another local", stop(2, one, two), Note},
		{"none", stop(2), Note},
		{"no state", dsl.Reply{}, Note},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := answer(t.Context(), predictor{reply: tt.reply})
			if wants(t, f, tt.mark, "in 7ms"); f.Fails || f.Value != int64(7) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestNoModel(t *testing.T) {
	g := &Given{Config: loaded(t, ""), Own: func() (backend.Predictor, error) { return nil, embedded.ErrNoModel }}
	f := fact(t, g.model(t.Context()), "model", "")
	if wants(t, f, Note, "carries no model"); f.Fails {
		t.Error("npdb debugs without")
	}
	g.Own = func() (backend.Predictor, error) { return nil, errors.New("it is damaged") }
	f = fact(t, g.model(t.Context()), "model", "")
	if wants(t, f, Wrong, "it is damaged"); !f.Fails {
		t.Error("npdb should fail")
	}
	f = answer(t.Context(), predictor{err: errors.New("it says the same over and over")})
	if wants(t, f, Wrong, "over and over"); !f.Fails {
		t.Error("npdb should fail")
	}
	wants(t, fact(t, (&Given{}).model(t.Context()), "model", ""), Note, "not asked")
	g.Config = loaded(t, "[model]\nname = 'nd'\n")
	f = fact(t, g.model(t.Context()), "model", "nd")
	if wants(t, f, Note, "no server is configured"); !strings.Contains(f.Do, "--base-url") {
		t.Errorf("%+v", f)
	}
}

// TestModelLimit checks that the model's time limit is that of one request.
func TestModelLimit(t *testing.T) {
	if got := (&Given{}).modelLimit(); got != usual {
		t.Errorf("%v", got)
	}
	for timeout, want := range map[string]string{"1s": "30s", "5m": "5m0s"} {
		g := &Given{Config: loaded(t, "[model]\ntimeout = '"+timeout+"'\n")}
		if got := g.modelLimit(); got.String() != want {
			t.Errorf("%s: %v, want %s", timeout, got, want)
		}
	}
}
