package session_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// slow starts a server whose model replies to each move of neuralSource once, and
// afterwards not until the request is cancelled.
func slow(t *testing.T, replies map[string]string) (url string, began, ended chan string) {
	began, ended = make(chan string, 9), make(chan string, 9)
	var mu sync.Mutex
	answered := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			fmt.Fprint(w, `{"object":"list","data":[{"id":"slow","object":"model"}]}`)
			return
		}
		body, err := io.ReadAll(r.Body)
		if !strings.HasSuffix(r.URL.Path, "/completions") || err != nil {
			http.NotFound(w, r)
			return
		}
		var asked struct{ Prompt string }
		if err := json.Unmarshal(body, &asked); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		text := strings.TrimSuffix(asked.Prompt, "<|frame_sep|>")
		move := text[strings.LastIndex(text, "<|debug_sep|>")+len("<|debug_sep|>"):]
		mu.Lock()
		again := answered[move]
		answered[move] = true
		mu.Unlock()
		if again {
			began <- move
			<-r.Context().Done()
			ended <- move
			return
		}
		reply, _ := json.Marshal(replies[move])
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"text\":%s,\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", reply)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", began, ended
}

// TestPrefetchEndsRequests checks that a prefetch ends on its server when the user makes
// another move and when the session is closed.
func TestPrefetchEndsRequests(t *testing.T) {
	url, began, ended := slow(t, map[string]string{"step_over": atCall, "step_into": inF})
	p, err := openai.New(openai.Config{BaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := unclosed(t, session.Config{
		Options: trace.Options{Script: scriptOf(t, neuralSource)},
		Neural:  &nav.Neural{Predictor: p, Prefetch: both},
	})
	s.First(t.Context())
	if a := do(s, "n"); a.Err != nil {
		t.Fatal(a.Err)
	}
	next := func(c chan string, want string) {
		t.Helper()
		select {
		case got := <-c:
			if got != want {
				t.Errorf("%s, not %s", got, want)
			}
		case <-t.Context().Done():
			t.Fatal("the request has not come or not ended")
		}
	}
	next(began, "step_over")
	if a := do(s, "s"); a.Err != nil || a.State.Function != "f" {
		t.Errorf("the user's own move: %+v, %v", a.State, a.Err)
	}
	next(ended, "step_over")
	next(began, "step_into")
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	next(ended, "step_into")
}
