package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
)

// askedBoth sends a prompt to both endpoints. It returns the replies and the headers with the names
// of the faults. It fails the test if a reply is malformed.
func askedBoth(t *testing.T, server *httptest.Server, prompt string) (replies []dsl.Reply, told []string) {
	t.Helper()
	c, h := complete(t, server, object{"prompt": prompt, "max_tokens": 1000, "skip_special_tokens": false})
	m, chatHeader := chatted(t, server, object{"messages": conversation(t, prompt)})
	return []dsl.Reply{decoded(t, prompt, c.Choices[0].Text), decodedChat(t, prompt, *m.Choices[0].Message.Content)},
		[]string{h.Get(corruptedHeader), chatHeader.Get(corruptedHeader)}
}

// TestCorruptedFields checks that each kind of wrong reply can be decoded, differs from the true
// one, and is named in the header, if the true reply has such a field.
func TestCorruptedFields(t *testing.T) {
	asked, replies := prompts(t)
	const line, call, ret, end = 1 << 0, 1 << 1, 1 << 2, 1 << 3 // the four prompts of the walk, as a bit set
	for _, c := range []struct {
		field string
		m     Misbehavior
		has   int
		wrong func(got, truth dsl.Reply) bool // reports whether the field is wrong
	}{
		{"event", Misbehavior{Event: 1}, line | call | ret, func(g, t dsl.Reply) bool { return g.Stop.Event != t.Stop.Event }},
		{"line", Misbehavior{Line: 1}, line | call | ret, func(g, t dsl.Reply) bool { return g.Stop.Line != t.Stop.Line && g.Stop.Event == t.Stop.Event }},
		{"function", Misbehavior{Function: 1}, line | call | ret, func(g, t dsl.Reply) bool { return g.Stop.Function != t.Stop.Function }},
		{"locals", Misbehavior{Locals: 1}, line | call | ret, func(g, t dsl.Reply) bool { return !sameLocals(g.Stop.Locals, t.Stop.Locals) }},
		{"value", Misbehavior{Value: 1}, ret, func(g, t dsl.Reply) bool { return *g.Stop.Value != *t.Stop.Value }},
		{"outcome", Misbehavior{Outcome: 1}, line | call | ret | end, func(g, t dsl.Reply) bool {
			return g.Outcome != t.Outcome || g.Exit.Code != t.Exit.Code
		}},
		{"unknown", Misbehavior{Unknown: 1}, line | call | ret | end, func(g, _ dsl.Reply) bool { return g.Outcome == dsl.Unknown }},
	} {
		t.Run(c.field, func(t *testing.T) {
			server := served(t, func(config *Config) { config.Misbehavior = c.m })
			for i, prompt := range asked {
				want := decoded(t, prompt, replies[i])
				for range 20 {
					got, told := askedBoth(t, server, prompt)
					for way := range got {
						switch {
						case c.has&(1<<i) == 0:
							if !reflect.DeepEqual(got[way], want) || told[way] != "" {
								t.Errorf("question %d has no such field, and is answered %+v, %q", i, got[way], told[way])
							}
						case told[way] != c.field:
							t.Errorf("question %d: %+v is told as %q", i, got[way], told[way])
						case !c.wrong(got[way], want):
							t.Errorf("question %d: the field of %+v is right", i, got[way])
						}
					}
				}
			}
		})
	}
}

func sameLocals(a, b []dsl.Local) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// decoded decodes a reply to a prompt. It fails the test if the reply is malformed.
func decoded(t *testing.T, prompt, text string) dsl.Reply {
	t.Helper()
	node, asked, err := dsl.ND1.Read(prompt)
	if err != nil {
		t.Fatal(err)
	}
	d := node.Decode(*asked)
	if err := d.Feed(text); err != nil || !d.Done() {
		t.Fatalf("%q cannot be read: %v", text, err)
	}
	step, _ := d.Step()
	return step.Reply
}

// TestCorruptionIsDrawn checks that faults are drawn independently, occur with their probability,
// and are the same for the same seed.
func TestCorruptionIsDrawn(t *testing.T) {
	asked, _ := prompts(t)
	draw := func(m Misbehavior) (told []string) {
		server := served(t, func(c *Config) { c.Misbehavior = m })
		for range 400 {
			_, h := complete(t, server, object{"prompt": asked[2], "max_tokens": 1})
			told = append(told, h.Get(corruptedHeader))
		}
		return told
	}
	a := draw(Misbehavior{Seed: 7, Line: 0.5, Value: 0.2})
	b := draw(Misbehavior{Seed: 7, Line: 0.5, Value: 0.2})
	lines, values, both := 0, 0, 0
	for i, told := range a {
		if told != b[i] {
			t.Fatalf("request %d: %q and then %q", i, told, b[i])
		}
		line, value := strings.Contains(told, "line"), strings.Contains(told, "value")
		if line {
			lines++
		}
		if value {
			values++
		}
		if line && value {
			both++
		}
	}
	// The bounds are five standard deviations (50, 40 and 30) around the expected numbers.
	if lines < 150 || lines > 250 || values < 40 || values > 120 || both < 10 || both > 70 {
		t.Errorf("of 400: %d lines, %d values, %d both", lines, values, both)
	}
	several := served(t, func(c *Config) { c.Misbehavior = Misbehavior{Value: 1} })
	if _, h := complete(t, several, object{"prompt": asked[2], "n": 2}); h.Get(corruptedHeader) != "0:value, 1:value" {
		t.Errorf("two choices: %q", h.Get(corruptedHeader))
	}
}

func TestMisbehaviorOfRequests(t *testing.T) {
	asked, _ := prompts(t)
	for _, c := range []struct {
		name   string
		m      Misbehavior
		stream bool
		status int
		told   string
		good   func(text string, err error, h http.Header) bool
	}{
		{"error", Misbehavior{Error: 1, Statuses: []int{429}, RetryAfter: 1500 * time.Millisecond}, false, 429, "error", func(text string, _ error, h http.Header) bool {
			return h.Get("Retry-After") == "2" && strings.Contains(text, `"code":429`)
		}},
		{"page", Misbehavior{HTML: 1}, false, 200, "html", func(text string, _ error, h http.Header) bool {
			return strings.HasPrefix(text, "<!DOCTYPE html>") && strings.HasPrefix(h.Get("Content-Type"), "text/html")
		}},
		{"truncated", Misbehavior{Truncated: 1}, false, 200, "truncated", func(text string, err error, _ http.Header) bool {
			return err == nil && text != "" && !json.Valid([]byte(text))
		}},
		{"truncated stream", Misbehavior{Truncated: 1}, true, 200, "truncated", func(text string, err error, _ http.Header) bool {
			return err == nil && (strings.HasSuffix(text, "text_comple") || strings.HasSuffix(text, "chat.comple"))
		}},
		{"cut", Misbehavior{Cut: 1}, false, 200, "cut", func(text string, err error, _ http.Header) bool { return err != nil && text != "" }},
		{"cut stream", Misbehavior{Cut: 1}, true, 200, "cut", func(text string, err error, _ http.Header) bool {
			return err != nil && strings.HasPrefix(text, "data: ")
		}},
		{"error at once", Misbehavior{MidStream: 1}, false, 500, "mid_stream", func(text string, _ error, _ http.Header) bool { return strings.Contains(text, `"code":500`) }},
		{"error in a stream", Misbehavior{MidStream: 1}, true, 200, "mid_stream", func(text string, err error, _ http.Header) bool {
			return err == nil && strings.Contains(text, `data: {"error":{`) && strings.HasSuffix(text, "data: [DONE]\n\n") && (strings.Contains(text, `"text":"{"`) || strings.Contains(text, `"content":"{"`))
		}},
		{"garbage", Misbehavior{Garbage: 1}, false, 200, "garbage", func(text string, _ error, _ http.Header) bool { return strings.Contains(text, "Sure!") }},
		{"endless", Misbehavior{Endless: 1}, false, 200, "endless", func(text string, _ error, _ http.Header) bool {
			return strings.Contains(text, "aaaaaaaa") && strings.Contains(text, `"finish_reason":"length"`)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := served(t, func(config *Config) { config.Misbehavior = c.m })
			for path, q := range map[string]object{
				"/v1/completions":      {"prompt": asked[0], "max_tokens": 64, "stream": c.stream},
				"/v1/chat/completions": {"messages": conversation(t, asked[0]), "max_tokens": 128, "stream": c.stream},
			} {
				status, text, h, err := posted(path, string(marshal(q))).read(t, server.Client(), server.URL)
				if told := h.Get(corruptedHeader); status != c.status || told != c.told || !c.good(text, err, h) {
					t.Errorf("%s: status %d, told %q, error %v, %s", path, status, told, err, text)
				}
			}
		})
	}
}

// TestMisbehaviorLatency checks that the response is delayed, and that the delay ends when the
// client disconnects.
func TestMisbehaviorLatency(t *testing.T) {
	asked, _ := prompts(t)
	for name, m := range map[string]Misbehavior{"before": {Latency: time.Hour}, "of tokens": {TokenLatency: time.Hour}} {
		server := served(t, func(c *Config) { c.Misbehavior = m })
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/completions", strings.NewReader(string(marshal(object{"prompt": asked[0]}))))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		if answer, err := server.Client().Do(request); err == nil {
			answer.Body.Close()
			t.Errorf("%s: it is answered at once", name)
		}
	}
	m := Misbehavior{Latency: time.Second, Jitter: time.Second}
	for n := range uint64(50) {
		if got := m.latency(m.draws(n)); got < time.Second || got > 2*time.Second {
			t.Errorf("a latency of %v", got)
		}
	}
}

func TestMisbehaviorIsChecked(t *testing.T) {
	for _, m := range []Misbehavior{{Line: 1.1}, {Cut: -0.1}, {Error: 1, Statuses: []int{200}}, {Latency: -1}} {
		if _, err := New(Config{Models: []Model{{Name: "oracle", Predictor: newFake(t)}}, Misbehavior: m}); err == nil {
			t.Errorf("%+v is taken", m)
		}
	}
}
