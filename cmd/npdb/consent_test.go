//go:build unix

package main

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// elsewhere is a server at a host name that does not exist. npdb reaches it through a
// proxy, which records every byte that it receives.
type elsewhere struct {
	proxy string
	mu    sync.Mutex
	got   bytes.Buffer
}

func newElsewhere(t *testing.T) *elsewhere {
	t.Helper()
	e := &elsewhere{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(right))
	s.Listener = recording{s.Listener, e}
	s.Start()
	t.Cleanup(s.Close)
	e.proxy = s.URL
	return e
}

// env returns the environment in which npdb uses this server.
func (e *elsewhere) env(more ...string) []string {
	return append([]string{
		"http_proxy=" + e.proxy, "HTTP_PROXY=" + e.proxy, "NPDB_BASE_URL=http://models.example/v1", "NPDB_MODEL=nd",
		"NPDB_DIALECT=nd1", "NPDB_RETRIES=0", "NPDB_LOGPROBS=false",
	}, more...)
}

// sent returns everything that the proxy received.
func (e *elsewhere) sent() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.got.String()
}

type recording struct {
	net.Listener
	by *elsewhere
}

func (r recording) Accept() (net.Conn, error) {
	c, err := r.Listener.Accept()
	if err != nil {
		return nil, err
	}
	r.by.mu.Lock()
	defer r.by.mu.Unlock()
	r.by.got.WriteString("(connected)\n")
	return heard{c, r.by}, nil
}

type heard struct {
	net.Conn
	by *elsewhere
}

func (h heard) Read(b []byte) (int, error) {
	n, err := h.Conn.Read(b)
	h.by.mu.Lock()
	defer h.by.mu.Unlock()
	h.by.got.Write(b[:n])
	return n, err
}

// TestNothingIsSentUnasked checks that without a terminal nothing is sent unless the user
// allowed it before. One sentence explains how to allow it. npdb opens no connection.
func TestNothingIsSentUnasked(t *testing.T) {
	const flag = "--send always (or model.send = \"always\""
	for _, tt := range []struct {
		name string
		env  []string
		args []string
		says string
	}{
		{"plain", nil, []string{"--plain"}, flag},
		{"JSON", nil, []string{"--json"}, flag},
		{"both modes", nil, []string{"--plain", "--mode", "both"}, flag},
		{"asked for", nil, []string{"--json", "--send", "ask"}, flag},
		{"a second model", []string{"NPDB_BASE_URL=", "NPDB_MODEL=", "NPDB_AGAINST=http://models.example/v1"}, []string{"--plain"}, flag},
		{"the evaluation", nil, []string{"eval", "states"}, flag},
		{"never", []string{"NPDB_SEND=never"}, []string{"--plain"}, "model.send is never"},
		{"never, evaluated", nil, []string{"eval", "states", "--send", "never"}, "model.send is never"},
		{"offline", nil, []string{"--plain", "--offline", "--send", "always"}, "npdb is offline (--offline"},
		{"offline by the environment", []string{"NPDB_OFFLINE=1"}, []string{"--json"}, "npdb is offline"},
		{"offline, evaluated", nil, []string{"eval", "states", "--offline"}, "npdb is offline"},
		{"offline, a second model", []string{"NPDB_BASE_URL=", "NPDB_MODEL="}, []string{"--plain", "--offline", "--against", "http://models.example/v1"}, "npdb is offline"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := newElsewhere(t)
			home := t.TempDir()
			program := filepath.Join(home, "prog.py")
			if err := os.WriteFile(program, []byte(predictedProgram), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := npdbCommand(t, home, e.env(tt.env...), append(tt.args, program)...)
			cmd.Stdin = strings.NewReader("n\ny\nq\n") // piped input is not an answer
			said, err := cmd.CombinedOutput()
			lines := 1
			if slices.Contains(tt.args, "--json") {
				lines = 2 // the answer, and the message for the user
			}
			if err == nil || !strings.Contains(string(said), tt.says) || strings.Count(string(said), "\n") != lines {
				t.Errorf("%v: %s", err, said)
			}
			if got := e.sent(); got != "" {
				t.Errorf("it got %q", got)
			}
		})
	}
}

// TestSendAlways checks that npdb sends after the user allowed it.
func TestSendAlways(t *testing.T) {
	e := newElsewhere(t)
	s := startNeural(t, e.env("NPDB_SEND=always"), "--plain")
	if got := s.plain(t, "n"); !strings.Contains(got, "y = 2") {
		t.Errorf("the answer is %q", got)
	}
	s.quit(t)
	if got := e.sent(); !strings.Contains(got, `x = 1`) || !strings.Contains(got, "models.example") {
		t.Errorf("it got %q", got)
	}
	if strings.Contains(s.stderr.String(), "Send it?") {
		t.Errorf("it asked: %s", s.stderr.String())
	}
}

// TestRedactedElsewhere checks that probable secrets are redacted for a server on another
// machine unless the configuration disables it, and for one on this machine only if the
// configuration enables it.
func TestRedactedElsewhere(t *testing.T) {
	const program = "password = \"hunter2x\"  # a comment\nx = 1\ny = 2\n"
	for _, tt := range []struct {
		name, config string
		here         bool
		redacted     bool
	}{
		{"elsewhere", "", false, true},
		{"nothing", "redact_for = 'none'", false, false},
		{"no names", "redact_names = []", false, false},
		{"another name", "redact_names = ['word$']", false, true},
		{"a form", "redact = ['^hunter[0-9]']\nredact_names = []", false, true},
		{"here", "", true, false},
		{"here too", "redact_for = 'all'", true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e, home := newElsewhere(t), t.TempDir()
			env := e.env("NPDB_SEND=always")
			if tt.here {
				env = append(env, "NPDB_BASE_URL="+e.proxy+"/v1")
			}
			path, settings := filepath.Join(home, "prog.py"), filepath.Join(home, ".config", "npdb")
			if err := errors.Join(
				os.WriteFile(path, []byte(program), 0o600), os.MkdirAll(settings, 0o700),
				os.WriteFile(filepath.Join(settings, "config.toml"), []byte(tt.config), 0o600),
			); err != nil {
				t.Fatal(err)
			}
			s := talkTo(t, home, npdbCommand(t, home, env, "--plain", path))
			s.plain(t, "n")
			s.quit(t)
			if got := e.sent(); !strings.Contains(got, "# a comment") || strings.Contains(got, "hunter2x") == tt.redacted {
				t.Errorf("it got %s", got)
			}
		})
	}
}

// TestOfflineHere checks that offline mode still uses a server on this machine, without a
// proxy, and that real mode needs no server.
func TestOfflineHere(t *testing.T) {
	e := newElsewhere(t)
	m := newModel(t, true)
	m.set(right)
	s := startNeural(t, e.env("NPDB_BASE_URL=http://"+m.address+"/v1", "ALL_PROXY="+e.proxy), "--plain", "--offline")
	if got := s.plain(t, "n"); !strings.Contains(got, "y = 2") {
		t.Errorf("the answer is %q", got)
	}
	s.quit(t)
	if got := e.sent(); got != "" {
		t.Errorf("the proxy got %q", got)
	}
	own := startNeural(t, []string{"NPDB_OFFLINE=true"}, "--plain", "--mode", "neural")
	own.plain(t, "n")
	own.quit(t)
}

// TestNothingJoinsUnasked checks that real mode sends nothing until the model joins, and
// that without a terminal the model does not join.
func TestNothingJoinsUnasked(t *testing.T) {
	for _, args := range [][]string{{"--plain", "--mode", "real"}, {"--plain", "--mode", "real", "--offline"}} {
		e := newElsewhere(t)
		s := startNeural(t, e.env("PATH="+os.Getenv("PATH")), args...)
		s.plain(t, "n")
		got := s.plain(t, "mode both")
		if offline := len(args) > 3; offline != !strings.Contains(got, "nobody was asked") {
			t.Errorf("%q: %s", args, got)
		}
		if got := s.plain(t, "p x"); !strings.Contains(got, "1") {
			t.Errorf("the session is of no use: %s", got)
		}
		s.quit(t)
		if got := e.sent(); got != "" {
			t.Errorf("it got %q", got)
		}
	}
}
