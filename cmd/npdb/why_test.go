//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// explains returns the address of a chat model that gives this answer, with an end unless cut is set.
func explains(t *testing.T, answer string, cut bool) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"talker","object":"model"}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for at := 0; at < len(answer); at += 9 {
			piece := answer[at:min(at+9, len(answer))]
			if _, err := fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"content":%s}}]}`+"\n\n", jsonString(piece)); err != nil {
				return
			}
		}
		if !cut {
			fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// whySession runs npdb on a program of two lines and returns its output.
func whySession(t *testing.T, env []string, typed string, args ...string) string {
	t.Helper()
	home := t.TempDir()
	program := filepath.Join(home, "prog.py")
	if err := os.WriteFile(program, []byte("total = 660\nprint(total)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := npdbCommand(t, home, append([]string{"PATH=" + os.Getenv("PATH"), "NPDB_PYTHON=" + pythons.Any(t)}, env...), append(args, program)...)
	cmd.Stdin = strings.NewReader(typed)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	return string(said)
}

// TestWhy checks the verdicts on the claims of a chat model on a server, as text and as JSON.
func TestWhy(t *testing.T) {
	url := explains(t, "`#1 prog.py:2` prints `total = 660`, not `total = 600`.", false)
	said := whySession(t, nil, "n\nwhy\nwhy really?\nq\n", "--plain", "--why", url)
	if want := "#1 prog.py:2 prints total = 660, not ~~total = 600~~ (660).\n3 claims checked against the recording: 2 right, 1 wrong.\n"; strings.Count(said, want) != 2 {
		t.Errorf("plain:\n%s", said)
	}
	lines := strings.Split(whySession(t, []string{"NPDB_WHY=" + url}, "n\nwhy\nq\n", "--json"), "\n")
	var answer struct {
		Result      string
		Explanation struct {
			Model  string
			Cut    *string
			Claims []struct {
				Event                      int
				Name, Said, Found, Verdict *string
			}
		}
	}
	if err := json.Unmarshal([]byte(lines[2]), &answer); err != nil {
		t.Fatal(err)
	}
	e := answer.Explanation
	if len(e.Claims) != 3 || e.Model != "talker" || e.Cut != nil || !strings.Contains(answer.Result, "~~total = 600~~ (660)") {
		t.Fatalf("%s", lines[2])
	}
	if c := e.Claims[2]; c.Event != 1 || *c.Name != "total" || *c.Said != "600" || *c.Found != "660" || *c.Verdict != "wrong" {
		t.Errorf("%s", lines[2])
	}
}

// TestWhyPage plays the session of docs/why.md with a model that gives the answer on that page.
func TestWhyPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "why.md"))
	if err != nil {
		t.Fatal(err)
	}
	session := regexp.MustCompile("(?s)```console\n\\$ go run ./cmd/npdb --plain --why \\S+ examples/bank.py\n(.*?)```\n").FindSubmatch(page)
	if session == nil {
		t.Fatal("the page has no session")
	}
	var typed, want strings.Builder
	for line := range strings.Lines(string(session[1])) {
		if c, ok := strings.CutPrefix(line, "(npdb) "); ok {
			typed.WriteString(c)
		} else {
			want.WriteString(line)
		}
	}
	url := explains(t, "The transfer goes from an account to itself: `source = 'cy'` and `target = 'cy'` at `#107 bank.py:43`.\nLine 42 overwrites what line 41 stored, so `#105 balances['cy'] = 215` is lost.", false)
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	npdb := npdbCommand(t, t.TempDir(), []string{"PATH=" + os.Getenv("PATH"), "NPDB_PYTHON=" + pythons.Any(t)}, "--plain", "--why", url, "examples/bank.py")
	npdb.Dir, npdb.Stdin = root, strings.NewReader(typed.String()+"q\n")
	said, err := npdb.CombinedOutput()
	if got := strings.ReplaceAll(string(said), root+string(filepath.Separator), ""); err != nil || got != want.String() {
		t.Errorf("%v: npdb prints\n%s\nthe page says\n%s", err, got, want.String())
	}
}

// TestWhyServers checks the messages if the model's reply ends in the middle of a claim or does not end, and if the
// server is missing, its model is not a chat model, or no model is named.
func TestWhyServers(t *testing.T) {
	nobody := newModel(t, false)
	notChat := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"detail":"Not Found"}`)
	}))
	t.Cleanup(notChat.Close)
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		"cut":      {[]string{"--why", explains(t, "It is `total = 6", true)}, []string{"It is `total = 6\nThe explanation is not complete: "}},
		"endless":  {[]string{"--why", explains(t, strings.Repeat("\x1b[31m`total = 6` ", 700_000), false)}, []string{`\x1b[31m~~total = 6~~ (660) `, "did not end", "500 claims checked"}},
		"gone":     {[]string{"--why", "http://" + nobody.address + "/v1"}, []string{"*** why: http://" + nobody.address + "/v1 refuses connections"}},
		"no chat":  {[]string{"--why", notChat.URL + "/v1", "--why-model", "m"}, []string{"*** why: ", "--why"}},
		"no model": {nil, []string{"*** why: there is no chat model to ask: give a chat model's address with --why"}},
		"nd1":      {[]string{"--base-url", notChat.URL + "/v1", "--dialect", "nd1", "--mode", "real"}, []string{"*** why: the configured model predicts states (model.dialect is nd1)", "--why"}},
	} {
		said := whySession(t, []string{"NPDB_RETRIES=0"}, "n\nwhy\np total\nq\n", append(c.args, "--plain")...)
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q in\n%.2000s", name, want, said)
			}
		}
		if !strings.Contains(said, "\n660\n") || len(said) > 300_000 || strings.Contains(said, "\x1b") {
			t.Errorf("%s: after it (%d bytes)\n%.2000s", name, len(said), said)
		}
	}
}

// TestWhyInterrupted checks that Ctrl-C stops an answer, that the text received before stays, and that the session
// continues.
func TestWhyInterrupted(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"It goes on.\nAnd on"}}]}`+"\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	home := t.TempDir()
	program := filepath.Join(home, "prog.py")
	if err := os.WriteFile(program, []byte("total = 660\nprint(total)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := talkTo(t, home, npdbCommand(t, home, []string{"PATH=" + os.Getenv("PATH"), "NPDB_PYTHON=" + pythons.Any(t)}, "--plain", "--why", server.URL+"/v1", "--why-model", "m", program))
	s.plain(t, "n")
	s.send(t, "why")
	if got := s.line(t); got != "It goes on.\n" {
		t.Errorf("it streams %q", got)
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := s.line(t) + s.line(t); got != "And on\nThe explanation is not complete: it was interrupted.\n" {
		t.Errorf("after an interrupt: %q", got)
	}
	if got := s.plain(t, "p total"); got != "660\n" {
		t.Errorf("then: %q", got)
	}
	s.quit(t)
}

// TestWhyConsent checks that nothing is sent to another machine without the user's consent.
func TestWhyConsent(t *testing.T) {
	for _, tt := range []struct{ env, want string }{
		{"", "--send always (or model.send = \"always\""},
		{"NPDB_SEND=never", "model.send is never"},
		{"NPDB_OFFLINE=1", "npdb is offline"},
	} {
		e := newElsewhere(t)
		said := whySession(t, e.env("NPDB_BASE_URL=", "NPDB_MODEL=", "NPDB_WHY=http://models.example/v1", tt.env), "why\nq\n", "--plain")
		if !strings.Contains(said, "*** why: ") || !strings.Contains(said, tt.want) || e.sent() != "" {
			t.Errorf("%s: %s\nit got %q", tt.env, said, e.sent())
		}
	}
	e := newElsewhere(t)
	whySession(t, e.env("NPDB_BASE_URL=", "NPDB_MODEL=", "NPDB_WHY=http://models.example/v1", "NPDB_WHY_MODEL=m", "NPDB_SEND=always"), "n\nwhy\nq\n", "--plain")
	if got := e.sent(); !strings.Contains(got, "total = 660") || !strings.Contains(got, "chat/completions") {
		t.Errorf("with consent it got %q", got)
	}
}
