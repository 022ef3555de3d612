package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

var asking = []backend.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "Why?"}}

// TestTalk checks that a conversation is sent unchanged, without a schema for the answer, and that the pieces of the
// reply arrive in order, even if predictions use another dialect.
func TestTalk(t *testing.T) {
	for _, d := range []Dialect{Chat, ND1, Auto} {
		s := chats(t, func(w http.ResponseWriter, _ map[string]any) { says(w, http.StatusOK, said("Because it is so.")) })
		p := inChat(t, s, func(c *Config) { c.Dialect, c.Logprobs = d, true })
		var pieces []string
		talk, err := p.Talk(t.Context(), asking, func(piece string) { pieces = append(pieces, piece) })
		if err != nil || talk.Text != "Because it is so." || strings.Join(pieces, "|") != "Because |it is so." || talk.Usage.Completion <= 0 {
			t.Errorf("%s: %+v in pieces %q, %v", d, talk, pieces, err)
		}
		body := s.asked[0]
		if got := fmt.Sprint(body["messages"]); got != "[map[content:Be brief. role:system] map[content:Why? role:user]]" || body["response_format"] != nil || body["logprobs"] != nil {
			t.Errorf("%s: the request is %v", d, body)
		}
	}
}

// TestTalkFails checks that an error comes with the text received before it, and that a request is retried only if
// no text was received.
func TestTalkFails(t *testing.T) {
	begun := delta(`"role":"assistant","content":""`, "") + delta(content("It is `x ="), "")
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter)
		text   string
		kind   backend.ErrorKind
		asked  int
	}{
		"no finish": {func(w http.ResponseWriter) { says(w, 200, begun) }, "It is `x =", backend.Cut, 1},
		"broken": {func(w http.ResponseWriter) {
			says(w, 200, begun)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "It is `x =", backend.Cut, 1},
		"length":      {func(w http.ResponseWriter) { says(w, 200, begun+delta("", `,"finish_reason":"length"`)+done) }, "It is `x =", backend.TooLong, 1},
		"no chat":     {func(w http.ResponseWriter) { says(w, 404, `{"detail":"Not Found"}`) }, "", backend.NoEndpoint, 1},
		"overloaded":  {func(w http.ResponseWriter) { says(w, 500, `{"error":{"message":"out of memory"}}`) }, "", backend.ServerFailed, 3},
		"ten million": {endless, strings.Repeat("a", 1<<10), backend.Endless, 1},
	} {
		s := chats(t, func(w http.ResponseWriter, _ map[string]any) { c.answer(w) })
		p := inChat(t, s, func(c *Config) { c.Retries = 2 })
		shown := 0
		talk, err := p.Talk(t.Context(), asking, func(piece string) { shown += len(piece) })
		fails(t, err, c.kind)
		if !strings.HasPrefix(talk.Text, c.text) || len(talk.Text) > 1<<17 || shown != len(talk.Text) || len(s.asked) != c.asked {
			t.Errorf("%s: %d bytes, %d of them shown, begin %.40q; it was asked %d times", name, len(talk.Text), shown, talk.Text, len(s.asked))
		}
	}
}

// endless sends ten million bytes.
func endless(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	for range 10 << 10 {
		if _, err := io.WriteString(w, delta(content(strings.Repeat("a", 1<<10)), "")); err != nil {
			return
		}
	}
}

// TestTalkInterrupted checks that the end of the context ends the reply, and that the text received before is kept.
func TestTalkInterrupted(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			if _, err := io.WriteString(w, delta(content("on and "), "")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	talk, err := inChat(t, s, nil).Talk(ctx, asking, func(string) { cancel() })
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(talk.Text, "on and ") {
		t.Errorf("%q, %v", talk.Text, err)
	}
}
