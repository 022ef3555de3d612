package openai

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
)

// notes is a Memory for one test.
type notes struct {
	mu    sync.Mutex
	of    map[string]Learnt
	fails error
	kept  int
}

func (n *notes) Recall(endpoint, model string) (Learnt, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	l, ok := n.of[endpoint+" "+model]
	return l, ok
}

func (n *notes) Keep(endpoint, model string, l Learnt) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.kept++
	if n.of == nil {
		n.of = map[string]Learnt{}
	}
	if n.of[endpoint+" "+model] = l; l.Dialect == "" {
		delete(n.of, endpoint+" "+model)
	}
	return n.fails
}

var lastYear = time.Date(2025, 5, 1, 12, 0, 0, 0, time.UTC)

// knowing returns a memory with dialect d for the model nd of a server.
func knowing(url string, d Dialect) *notes {
	return &notes{of: map[string]Learnt{url + " nd": {Dialect: d, Why: "The server answers chat alone", When: lastYear}}}
}

func with(n *notes) func(*Config) {
	return func(c *Config) {
		inAuto(c)
		c.Memory, c.Now = n, func() time.Time { return lastYear.AddDate(1, 0, 0) }
	}
}

// counted records the order of completions (c) and chats (h).
type counted struct{ asked strings.Builder }

func (c *counted) by(letter byte, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.asked.WriteByte(letter)
		h(w, r)
	}
}

// TestMemory checks that the next run starts with the dialect that was found, and reports that.
func TestMemory(t *testing.T) {
	var c counted
	url := both(t, c.by('c', always(404, chatOnlyTold)), c.by('h', always(200, said(secondInChat))))
	n := &notes{}
	q := backend.Question{At: node(t), Action: stepOver}
	for run, want := range []struct{ asked, told string }{
		{"chh", "The server answers chat alone: it is asked by chat from now on (npdb remembers it)"},
		{"hh", "The server answers chat alone: it is asked by chat, as last time (npdb doctor finds it out anew)"},
	} {
		c.asked.Reset()
		p := predictor(t, url, with(n))
		got, err := p.Predict(t.Context(), q, nil)
		landed(t, got, err)
		if told := strings.Join(got.Warnings, "\n"); told != want.told {
			t.Errorf("run %d says %q", run, told)
		}
		got, err = p.Predict(t.Context(), q, nil)
		if landed(t, got, err); len(got.Warnings) > 0 {
			t.Errorf("run %d says again %q", run, got.Warnings)
		}
		if c.asked.String() != want.asked {
			t.Errorf("run %d asked %s, want %s", run, c.asked.String(), want.asked)
		}
	}
	want := Learnt{Dialect: Chat, Why: "The server answers chat alone", When: lastYear.AddDate(1, 0, 0)}
	if got := n.of[url+" nd"]; got != want || n.kept != 1 {
		t.Errorf("kept %d times: %+v", n.kept, got)
	}
}

// TestMemoryOfND1 checks that nd/1 is remembered without a warning, and then has precedence over the
// model's name.
func TestMemoryOfND1(t *testing.T) {
	var c counted
	url := both(t, c.by('c', always(200, whole())), c.by('h', http.NotFound))
	n := knowing(url, ND1)
	n.of[url+" my-cwm"] = n.of[url+" nd"]
	for _, model := range []string{"nd", "my-cwm"} {
		c.asked.Reset()
		p := predictor(t, url, func(o *Config) { with(n)(o); o.Model = model })
		got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
		if landed(t, got, err); len(got.Warnings) > 0 || c.asked.String() != "c" || n.kept != 0 {
			t.Errorf("%s: asked %s, says %q, kept %d times", model, c.asked.String(), got.Warnings, n.kept)
		}
	}
}

// TestMemoryFails checks what happens if the remembered dialect fails. If the failure shows that it is
// outdated, another is found and stored, and text already shown is declared void. Other failures change
// nothing.
func TestMemoryFails(t *testing.T) {
	refused := `{"error":{"message":"no chats here","type":"invalid_request_error"}}`
	for _, tt := range []struct {
		name   string
		known  Dialect
		status int
		chat   string
		asked  string
		kind   backend.ErrorKind // 0: nd/1 is found
		told   string
	}{
		{"no such page", Chat, 404, `{"error":{"message":"Not Found","code":404}}`, "hc", 0, "not by chat as last time"},
		{"refused", Chat, 400, refused, "hc", 0, "not by chat as last time"},
		{"no state", Chat, 200, said("Let me think."), "hhc", 0, "not by chat as last time"},
		{"no frames", CWM, 200, "", "cc", 0, "not by traces as last time"},
		{"no key", Chat, 401, refused, "h", backend.Unauthorized, ""},
		{"a server that fails", Chat, 500, refused, "h", backend.ServerFailed, ""},
		{"no room", Chat, 400, `{"error":{"message":"This model's maximum context length is 9 tokens. However, you requested 10 tokens","code":"context_length_exceeded"}}`, "hh", backend.TooLong, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c counted
			url := both(t, c.by('c', always(200, whole())), c.by('h', always(tt.status, tt.chat)))
			n := knowing(url, tt.known)
			before := n.of[url+" nd"]
			p := predictor(t, url, with(n))
			q, text := backend.Question{At: node(t), Action: stepOver}, ""
			got, err := p.Predict(t.Context(), q, func(u backend.Update) {
				if text = u.Raw; u.Restarted {
					text = ""
				}
			})
			if c.asked.String() != tt.asked {
				t.Errorf("asked %s, want %s", c.asked.String(), tt.asked)
			}
			if tt.kind != 0 {
				fails(t, err, tt.kind)
				if n.kept != 0 || n.of[url+" nd"] != before {
					t.Errorf("kept %d times: %+v", n.kept, n.of)
				}
				return
			}
			landed(t, got, err)
			if told := strings.Join(got.Warnings, "\n"); !strings.Contains(told, tt.told) || strings.Contains(text, "think") {
				t.Errorf("it says %q, and shows %q", told, text)
			}
			if l := n.of[url+" nd"]; l.Dialect != ND1 || l.Why != hasND1 || n.kept != 1 {
				t.Errorf("kept %d times: %+v", n.kept, l)
			}
			c.asked.Reset()
			got, err = p.Predict(t.Context(), q, nil)
			if landed(t, got, err); c.asked.String() != "c" {
				t.Errorf("then it asked %s", c.asked.String())
			}
		})
	}
}

// TestMemoryAtOnce checks that concurrent questions use the same memory, and write it once.
func TestMemoryAtOnce(t *testing.T) {
	for _, known := range []Dialect{"", Chat, CWM} {
		url := both(t, always(200, piece("x is one", stopped)+done), always(200, said(secondInChat)))
		n := knowing(url, known)
		p := predictor(t, url, with(n))
		var told atomic.Int32
		var all sync.WaitGroup
		at := node(t)
		for range 8 {
			all.Go(func() {
				got, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
				if err != nil {
					t.Error(err)
					return
				}
				told.Add(int32(strings.Count(strings.Join(got.Warnings, "\n"), "asked by chat")))
			})
		}
		all.Wait()
		kept := 1
		if known == Chat {
			kept = 0
		}
		if told.Load() != 1 || n.kept != kept || n.of[url+" nd"].Dialect != Chat {
			t.Errorf("%q: told %d times, kept %d times: %+v", known, told.Load(), n.kept, n.of)
		}
	}
}

// TestMemoryFills checks that Fill uses the remembered dialect, and does not change it.
func TestMemoryFills(t *testing.T) {
	var c counted
	url := both(t, c.by('c', always(200, whole())), c.by('h', always(200, said(`{"values":[{"name":"a","value":"1"}]}`))))
	n := knowing(url, Chat)
	at, first := unfilled(t)
	p := predictor(t, url, with(n))
	whole, err := p.Fill(t.Context(), at, first, []int{0}, backend.Options{})
	if err != nil || whole.First.Locals[0].Value != "1" || c.asked.String() != "h" {
		t.Errorf("%+v, %v; asked %s", whole, err, c.asked.String())
	}
	if p.dialect() != Auto {
		t.Errorf("it goes on by %s", p.dialect())
	}
}

// TestMemoryOdd checks that a failure to store is reported once, that an unknown stored dialect is
// ignored, and that the address is stored without its password.
func TestMemoryOdd(t *testing.T) {
	url := both(t, always(404, chatOnlyTold), always(200, said(secondInChat)))
	n := knowing(url, "cobol")
	n.fails = errors.New("the disk is full")
	p := predictor(t, strings.Replace(url, "http://", "http://me:pAssw0rd@", 1), with(n))
	got, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	landed(t, got, err)
	if told := strings.Join(got.Warnings, "\n"); !strings.Contains(told, "The disk is full") || !strings.Contains(told, "from now on") {
		t.Errorf("it says %q", told)
	}
	if len(n.of) != 1 || n.of[url+" nd"].Dialect != Chat {
		t.Errorf("%+v", n.of)
	}
}

// TestProbeRemembers checks that a probe ignores the remembered dialect, and replaces it with its
// result.
func TestProbeRemembers(t *testing.T) {
	for _, tt := range []struct {
		name        string
		known       Dialect
		dialect     Dialect
		completions http.HandlerFunc
		chat        string
		want        Dialect // "": forgotten, or never there
		why         string
		told        bool
	}{
		{"chat, for nd/1", ND1, Auto, always(404, chatOnlyTold), secondInChat, Chat, chatsAlone, true},
		{"chat, for words", ND1, Auto, always(200, piece("x is one", stopped)+done), secondInChat, Chat, noND1, true},
		{"nd/1, for chat", Chat, Auto, always(200, piece(second2, stopped)+done), secondInChat, ND1, hasND1, true},
		{"nothing", Chat, Auto, always(404, chatOnlyTold), "no", "", "", true},
		{"nothing, for nothing", "", Auto, always(404, chatOnlyTold), "no", "", "", false},
		{"a dialect that is set", ND1, Chat, always(404, chatOnlyTold), secondInChat, ND1, chatsAlone, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url := both(t, tt.completions, always(200, said(tt.chat)))
			n := knowing(url, tt.known)
			found, err := predictor(t, url, func(c *Config) { with(n)(c); c.Dialect = tt.dialect }).Probe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := n.of[url+" nd"]; got.Dialect != tt.want || tt.want != "" && got.Why != tt.why {
				t.Errorf("kept: %+v", got)
			}
			if (found.Asked != nil) != tt.told {
				t.Fatalf("told: %+v", found.Asked)
			}
			if f := found.Asked; f != nil && (f.Dialect != tt.want || f.Before == nil || f.Before.Dialect != tt.known || !f.Before.When.Equal(lastYear)) {
				t.Errorf("%+v, before %+v", f, f.Before)
			}
		})
	}
	url := both(t, always(404, chatOnlyTold), always(200, said(secondInChat)))
	found, err := predictor(t, url, with(&notes{fails: errors.New("the disk is full")})).Probe(t.Context())
	if err != nil || found.Asked == nil || found.Asked.Unkept != "the disk is full" {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err = predictor(t, url, inAuto).Probe(t.Context()); err != nil || found.Asked != nil {
		t.Errorf("without a memory: %+v, %v", found, err)
	}
}
