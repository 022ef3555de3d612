//go:build unix

package session_test

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/redact"
)

// redactor returns a redactor with the default rules.
func redactor() *redact.Redactor {
	var rules redact.Rules
	for _, p := range redact.DefaultNames {
		rules.Names = append(rules.Names, regexp.MustCompile(p))
	}
	for _, p := range redact.DefaultValues {
		rules.Values = append(rules.Values, regexp.MustCompile(p))
	}
	return redact.New(rules)
}

// overheard starts a server in front of another one that records everything it receives.
func overheard(t *testing.T, to string) (address string, sent func() string) {
	t.Helper()
	u, err := url.Parse(strings.TrimSuffix(to, "/v1"))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all bytes.Buffer
	proxy := httputil.NewSingleHostReverseProxy(u)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		all.Write(body)
		mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", func() string {
		mu.Lock()
		defer mu.Unlock()
		return all.String()
	}
}

const secretive = `import store
KEY = "sk-live0123456789abcdef"
password = "swordfish"

def login(user, password, pin=0):
    copy = password
    header = {"user": user, "password": password, "note": "of " + user}
    return header

a = login("bob", "hunter2x")
secret = "qx9av" + "77lo"
both = [secret, KEY, store.PEM]
end = len(a)
`

const secretStore = `PEM = """-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQ
-----END PRIVATE KEY-----"""
`

// The secrets of that program, and of typed text.
var itsSecrets = []string{"sk-live", "swordfish", "hunter2x", "qx9av", "77lo", "PRIVATE KEY", "MIIEvQ", "typed-0ne", "given-0ne"}

func noSecret(t *testing.T, where, text string) {
	t.Helper()
	for _, secret := range itsSecrets {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%s has %s: …%s…", where, secret, text[max(i-80, 0):min(i+80, len(text))])
		}
	}
}

// keptIn returns the content of all files in a folder.
func keptIn(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all.Write(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestRedacted checks that a model that runs the redacted program predicts what the true
// one does, line by line, and that no secret is sent to it or stored.
func TestRedacted(t *testing.T) {
	interpreter, oracle := serveOracle(t, serve.Config{})
	for _, tt := range []struct {
		name     string
		mode     session.Mode
		dialect  openai.Dialect
		commands []string
	}{
		{"alone", session.Predicted, openai.ND1, []string{
			"s", "s", "n", "n", "n", "s", "s", "n", "n", "p password", "rs", "n", "!password = 'typed-0ne'",
			"p password", "display password", "n", "n", "raw", "n", "n", "info program", "rn",
		}},
		{"by chat", session.Predicted, openai.Chat, []string{"n", "n", "n", "n", "s", "n", "n", "p password", "!password = 'typed-0ne'", "n", "raw", "r", "n", "n"}},
		{"beside", session.Both, openai.ND1, []string{"s", "s", "n", "n", "n", "s", "s", "n", "n", "n", "n", "raw", "n", "n", "n", "n", "rs", "rs", "rs", "info program"}},
		{"beside, by chat", session.Both, openai.Chat, []string{"n", "n", "n", "n", "s", "n", "n", "n", "n", "n", "n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			address, sent := overheard(t, oracle)
			w := program(t, interpreter, address, "main.py", secretive, "store.py", secretStore)
			w.dialect = tt.dialect
			c := w.neural()
			if tt.mode == session.Both {
				c = w.real()
				c.Neural = w.neural().Neural
			}
			c.Mode, c.StateDir, c.Neural.Redact = tt.mode, t.TempDir(), redactor()
			export := filepath.Join(t.TempDir(), "export")
			var said bytes.Buffer
			s, err := interpreted(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			var answers []*session.Answer
			shown := func(a *session.Answer) {
				answers = append(answers, a)
				if err := frontend.NewPlain(&said, true).Show(a); err != nil {
					t.Error(err)
				}
			}
			shown(s.First(t.Context()))
			for _, line := range append(tt.commands, "export "+export) {
				s.Line(t.Context(), line, shown)
			}
			for _, a := range answers {
				if a.Err != nil {
					t.Errorf("%s: %v", *a.Command, a.Err)
				}
				if a.State != nil && a.State.File == "main.py" && a.State.Source != strings.Split(secretive, "\n")[a.State.Line-1] {
					t.Errorf("line %d reads %q", a.State.Line, a.State.Source)
				}
				if b := a.Beside; b != nil && b.Compared && b.Verdicts.Count() > 0 {
					t.Errorf("line %d: %s", a.State.Line, b.Sentence)
				}
				if tt.mode == session.Predicted && a.State != nil {
					for _, l := range a.State.Locals {
						noSecret(t, "the value of "+l.Name, l.Value)
					}
				}
			}
			noSecret(t, "what was sent", sent())
			if !strings.Contains(sent(), "<redacted>") && !strings.Contains(sent(), `\u003credacted\u003e`) || !strings.Contains(sent(), "def login(user, password, pin=0):") {
				t.Errorf("sent was %s", sent())
			}
			text := said.String()
			if !strings.Contains(text, "Redacted in the source, for its name or its form: 6 literals.") || strings.Contains(strings.Join(tt.commands, " "), "info") && !strings.Contains(text, "Redacted for oracle: 6 literals of the source") {
				t.Errorf("it is not told: %s", text)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			noSecret(t, "the state folder", keptIn(t, c.StateDir))
			noSecret(t, "the export", keptIn(t, filepath.Dir(export)))
			resumes(t, c, answers[len(answers)-1])
		})
	}
}

// resumes resumes a session from its journal, up to an answer.
func resumes(t *testing.T, c session.Config, last *session.Answer) {
	t.Helper()
	j, err := journal.Find(c.StateDir, c.Options)
	if err != nil {
		t.Fatal(err)
	}
	c.Options = j.Options(c.Options)
	c.Neural.Redact = redactor()
	s, err := session.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a := command.New(s, command.Config{}).Resume(t.Context(), j)
	if a.Err != nil || a.State.Line != last.State.Line {
		t.Errorf("resumed: %v, %+v, not %+v", a.Err, a.State, last.State)
	}
}

// TestRedactedEntry checks that a call given with --entry is redacted by its parameters,
// also in the journal. If one of two models may see everything, the other one still may
// not.
func TestRedactedEntry(t *testing.T) {
	interpreter, oracle := serveOracle(t, serve.Config{})
	for _, against := range []bool{false, true} {
		address, sent := overheard(t, oracle)
		w := program(t, interpreter, address, "main.py", secretive, "store.py", secretStore)
		c := w.neural()
		c.Options.Entry = "login('bob', 'given-0ne')"
		c.Neural.Redact = redactor()
		if against {
			w.url = oracle
			c.Against, c.Mode = w.neural().Neural, session.Both
		} else {
			c.StateDir = t.TempDir()
		}
		s, err := interpreted(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		s.First(t.Context())
		var last *session.Answer
		for _, line := range []string{"n", "n", "n"} {
			if last = do(s, line); last.Err != nil || against && last.Beside.Verdicts.Count() > 0 {
				t.Errorf("%v, %+v", last.Err, last.Beside)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		noSecret(t, "what was sent", sent())
		if !strings.Contains(sent(), "login") {
			t.Errorf("sent was %q", sent())
		}
		if !against {
			noSecret(t, "the state folder", keptIn(t, c.StateDir))
			resumes(t, c, last)
		}
	}
}
