package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/nav"
)

const (
	screenKey = "sk-of-the-screen-0123456789"
	evil      = "\x1b]0;PWNED\a\x1b]52;c;UFdORUQ=\a\x1b[31mPWNED\u202ePWNED\u2066\u009b31m\x00"
)

// TestFaults checks that an error of a failing server shows no API key and no terminal
// control sequence on the screen, and that the session continues.
func TestFaults(t *testing.T) {
	stream := func(w http.ResponseWriter, text string) {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"text\":%s,\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", quoted)
	}
	told := func(w http.ResponseWriter, status int, message string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if err := json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": message}}); err != nil {
			t.Error(err)
		}
	}
	for name, c := range map[string]struct {
		fails func(w http.ResponseWriter, r *http.Request)
		words string
	}{
		"a key that is not accepted": {func(w http.ResponseWriter, r *http.Request) {
			told(w, 401, "Incorrect API key: "+r.Header.Get("Authorization"))
		}, "does not accept the key"},
		"a key in an error": {func(w http.ResponseWriter, r *http.Request) {
			told(w, 500, r.Header.Get("Authorization")+" was sent")
		}, "[secret]"},
		"what steers a terminal in an error": {func(w http.ResponseWriter, _ *http.Request) { told(w, 500, evil) }, "PWNED"},
		"a key and what steers in a reply": {func(w http.ResponseWriter, r *http.Request) {
			stream(w, `<|line_sep|>{"a": `+evil+r.Header.Get("Authorization"))
		}, "no state"},
		"a value that steers": {func(w http.ResponseWriter, _ *http.Request) {
			quoted, err := json.Marshal("'" + screenKey + evil + "'")
			if err != nil {
				t.Error(err)
			}
			stream(w, `<|call_sep|><|stack_sep|>"f"{"x": `+string(quoted)+`}<|action_sep|>1|def f(x):`+"\n<|frame_sep|>")
		}, "PWNED"},
		"a login page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>Please sign in "+evil)
		}, "a web page"},
		"a connection that breaks off": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "closed the connection"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var failing atomic.Bool
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				switch {
				case failing.Load():
					c.fails(w, r)
				case strings.Contains(string(body), "6|a = f(2)\\n<|frame_sep|><|debug_sep|>step_into"):
					stream(w, inF)
				default:
					stream(w, atCall)
				}
			}))
			defer server.Close()
			p, err := openai.New(openai.Config{
				BaseURL: server.URL + "/v1", Key: screenKey, Model: "nd", Window: 8192,
				Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
			})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			config := predicted(t, "double.py", nil)
			config.Neural = &nav.Neural{Predictor: p}
			d := drive(t, 140, 40, config)
			d.press("n")
			if d.here() != 6 {
				t.Fatalf("n comes to line %d:\n%s", d.here(), d.text())
			}
			failing.Store(true)
			d.press("s")
			d.shows(c.words)
			for _, keys := range [][]string{nil, {"?"}, {"esc"}, {":", "r", "a", "w", "enter"}} {
				d.press(keys...)
				text := d.text()
				if strings.Contains(text, screenKey) || strings.Contains(text, screenKey[3:]) {
					t.Errorf("the key is on the screen:\n%s", text)
				}
				for i, r := range text {
					if _, n := utf8.DecodeRuneInString(text[i:]); escape.Hostile(r, n) {
						t.Fatalf("%q is on the screen:\n%q", r, text)
					}
				}
				if strings.Contains(d.screen(), "\x1b]0;PWNED") || strings.Contains(d.screen(), "\x1b]52") {
					t.Errorf("a text of the server's steers the terminal: %q", d.screen())
				}
			}
			failing.Store(false)
			d.command("retry")
			if st := d.m.screen.View.State; st == nil || st.Function != "f" || st.Locals[0].Value != "2" {
				t.Errorf("retry comes to %+v:\n%s", st, d.text())
			}
		})
	}
}
