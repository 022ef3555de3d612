package session_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace"
)

// TestFaults makes servers and networks fail in each known way, in the middle of a
// session, in each dialect. It uses a fake clock, so that a hang or a leaked goroutine
// fails at once.
func TestFaults(t *testing.T) {
	own := inMemory(t)
	var logged loud
	log.SetOutput(&logged)
	t.Cleanup(func() {
		log.SetOutput(os.Stderr)
		noSecrets(t, "the log", logged.text.String())
	})
	names := map[string]bool{}
	t.Run("each", func(t *testing.T) {
		for k, f := range faults() {
			if names[f.name] {
				t.Errorf("two faults are named %s", f.name)
			}
			names[f.name] = true
			dialects := f.dialects
			if dialects == nil {
				dialects = []openai.Dialect{openai.ND1, openai.Chat, openai.CWM}
			}
			for i, dialect := range dialects {
				if longtest.Race && (f.floods || i != k%len(dialects)) {
					continue // they are slow: one dialect is enough
				}
				t.Run(f.name+"/"+string(dialect), func(t *testing.T) {
					t.Parallel()
					e := &exposed{T: t, fault: f, dialect: dialect, dir: t.TempDir(), script: scriptOf(t, faultSource)}
					e.host = strings.ToLower(regexp.MustCompile(`\W+`).ReplaceAllString(t.Name(), "-")) + ".test"
					if f.proxied {
						e.host = "proxied-" + e.host
					}
					synctest.Test(t, func(t *testing.T) {
						e.T = t
						e.server = serveFaults(t, e.host, dialect)
						e.server.closes = f.fresh
						if f.https {
							e.secure = own
						}
						e.server.at.secure.Store(e.secure)
						defer func() {
							time.Sleep(time.Minute) // of the fake clock: TLS waits five seconds for its close message
							e.server.close()
						}()
						e.walk()
					})
				})
			}
		}
	})
	if len(names) < 100 {
		t.Errorf("%d faults are known", len(names))
	}
}

// loud is a log.
type loud struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *loud) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// exposed is a session that experiences a fault.
type exposed struct {
	*testing.T
	fault
	dialect           openai.Dialect
	server            *server
	secure            *tls.Config // the server's TLS configuration, nil for none
	host, dir, script string
	plain, json       bytes.Buffer // output of the two front ends
}

func (e *exposed) config(p *openai.Predictor) session.Config {
	return session.Config{
		Options: trace.Options{Script: e.script, Dir: filepath.Dir(e.script)}, StateDir: e.dir,
		Neural: &nav.Neural{Predictor: p, Redact: redact.New(redact.Rules{Values: []*regexp.Regexp{regexp.MustCompile("tok-[a-z-]+")}})},
	}
}

// do runs a line in both front ends.
func (e *exposed) do(ctx context.Context, s *command.Interpreter, line string) (answer *session.Answer) {
	e.Helper()
	s.Line(ctx, line, func(a *session.Answer) {
		answer = a
		if err := frontend.NewPlain(&e.plain, false).Show(a); err != nil {
			e.Error(err)
		}
		if !strings.Contains(line, hiddenValue) { // the user who typed it may see it
			if err := frontend.NewJSON(&e.json).Show(a); err != nil {
				e.Error(err)
			}
		}
	})
	return answer
}

// right runs a line that must lead to a line of the program.
func (e *exposed) right(ctx context.Context, s *command.Interpreter, line string, at int) {
	e.Helper()
	if a := e.do(ctx, s, line); a.Err != nil || a.State == nil || a.State.Line != at {
		e.Errorf("%s comes to %+v and not to line %d: %v", line, a.State, at, a.Err)
	}
}

func (e *exposed) walk() {
	// A day of the fake clock passes at once when nothing happens any more.
	ctx, cancel := context.WithTimeout(e.Context(), 24*time.Hour)
	defer cancel()
	scheme := "http://"
	if e.https {
		scheme = "https://"
	}
	p, err := openai.New(openai.Config{
		BaseURL: scheme + e.host + ":8000/v1", Key: faultKey, Dialect: e.dialect, Headers: map[string]string{"X-Team": headerSecret},
	})
	if err != nil {
		e.Fatal(err)
	}
	defer p.Close()
	s, err := interpreted(ctx, e.config(p))
	if err != nil {
		e.Fatal(err)
	}
	s.First(ctx)
	e.right(ctx, s, "n", 2)
	e.right(ctx, s, "!note = '"+hiddenValue+"'", 2)
	e.begin()
	e.meets(ctx, s, "n")
	here := 2
	if e.kind == "" {
		here = 3
	}
	e.right(ctx, s, "where", here)
	if got := e.do(ctx, s, "p a + 40"); got.Err != nil {
		e.Errorf("p a + 40: %v", got.Err)
	}
	e.right(ctx, s, "back 2", here-1)
	e.right(ctx, s, "forth 2", here)
	e.meets(ctx, s, "retry")
	e.end()
	e.right(ctx, s, "retry", 3)
	e.right(ctx, s, "n", 4)
	e.do(ctx, s, "raw")
	e.do(ctx, s, "info prog")
	e.do(ctx, s, "export "+filepath.Join(e.dir, "exported"))
	if err := s.Close(); err != nil {
		e.Error(err)
	}
	e.resumes(ctx, p)
	if ctx.Err() != nil {
		e.Error("something took a day")
	}
	e.kept()
}

func (e *exposed) begin() {
	if e.network != nil {
		e.network(e.server.at)
	}
	if e.fault.server != nil {
		e.server.begin(e.fault.server)
	}
}

func (e *exposed) end() {
	e.server.begin(nil)
	e.server.at.failing.Store(nil)
	e.server.at.secure.Store(e.secure)
}

// goish matches text that only someone who knows npdb's implementation understands.
var goish = regexp.MustCompile(`net/http|json:|dial |EOF|tcp|invalid character|%!|strconv|0x|malformed (HTTP|MIME)|\bnil\b|pipe|goroutine|context (cancel|deadline)`)

// subject matches the beginning of a message that names the one that failed, if it is not
// the host.
var subject = regexp.MustCompile(`^[Tt]he (model|server)`)

// helps matches a message with advice.
var helps = regexp.MustCompile(`retry|[Cc]heck |[Ss]et |choose|[Tt]ry |--`)

// meets runs a line during the fault.
func (e *exposed) meets(ctx context.Context, s *command.Interpreter, line string) {
	e.Helper()
	a := e.do(ctx, s, line)
	if e.kind == "" {
		if a.Err != nil || a.State.Line != 3 {
			e.Errorf("%s comes to %+v: %v", line, a.State, a.Err)
		}
		return
	}
	if a.Err == nil {
		e.Errorf("%s comes to %+v, and is to fail", line, a.State)
		return
	}
	e.Log(a.Err.Message)
	message := a.Err.Message
	switch {
	case a.Err.Kind != e.kind || !strings.Contains(message, e.words):
		e.Errorf("%s fails by %s: %s\nnot by %s: %s", line, a.Err.Kind, message, e.kind, e.words)
	case a.State == nil || a.State.Line != 2:
		e.Errorf("%s fails at %+v", line, a.State)
	case !strings.Contains(message, e.host) && !subject.MatchString(message):
		e.Errorf("who has failed? %s", message)
	case goish.MatchString(strings.ReplaceAll(message, e.host, "")) || strings.ContainsAny(message, "\n") || utf8.RuneCountInString(message) > 700:
		e.Errorf("that is not for people: %s", message)
	case !helps.MatchString(message):
		e.Errorf("what is to be done? %s", message)
	}
}

// resumes resumes the session without a request.
func (e *exposed) resumes(ctx context.Context, p *openai.Predictor) {
	e.server.begin(func(q *question) { q.t.Errorf("%s is asked as a journal is resumed", q.r.URL) })
	c := e.config(p)
	j, err := journal.Find(e.dir, c.Options)
	if err != nil {
		e.Error(err)
		return
	}
	c.StateDir = ""
	s, err := interpreted(ctx, c)
	if err != nil {
		e.Error(err)
		return
	}
	if a := s.Resume(ctx, j); a.Err != nil || a.State == nil || a.State.Line != 4 {
		e.Errorf("resumed at %+v: %v", a.State, a.Err)
	}
	if err := s.Close(); err != nil {
		e.Error(err)
	}
}

// kept searches everything stored or shown for secrets and terminal control sequences.
func (e *exposed) kept() {
	faces := map[string]string{"the plain front end": e.plain.String(), "the JSON front end": e.json.String()}
	texts := map[string]string{}
	err := filepath.WalkDir(e.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		texts[filepath.Base(path)] = string(raw)
		return err
	})
	if err != nil || len(texts) < 3 {
		e.Errorf("%d files are kept: %v", len(texts), err)
	}
	for name, text := range faces {
		texts[name] = text
		if i := hostileAt(text); i >= 0 {
			e.Errorf("%s is shown %q", name, text[max(i-40, 0):min(i+40, len(text))])
		}
	}
	e.server.mu.Lock()
	texts["what was sent"] = e.server.bodies.String()
	e.server.mu.Unlock()
	for where, text := range texts {
		noSecrets(e.T, where, text)
		if strings.Contains(text, hiddenValue) {
			e.Errorf("the value that models are not told is in %s", where)
		}
	}
}

func hostileAt(text string) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if escape.Hostile(r, n) {
			return i
		}
		i += n
	}
	return -1
}

// noSecrets fails if a text contains a secret in any spelling.
func noSecrets(t *testing.T, where, text string) {
	t.Helper()
	for _, secret := range []string{
		faultKey, faultKey[3:], headerSecret, proxyPassword, url.QueryEscape("Bearer " + faultKey),
		base64.StdEncoding.EncodeToString([]byte("npdb:" + proxyPassword)),
	} {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%s has a secret: %q", where, text[max(i-60, 0):min(i+60, len(text))])
		}
	}
}
