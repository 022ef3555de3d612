package live

import (
	"maps"
	"slices"
	"testing"

	"github.com/npdb/npdb/backend/openai"
)

// TestDoctor checks that npdb doctor reports the capabilities of each server as docs/servers.md
// lists them. llama-server returns as many samples as it has slots; here it has one.
func TestDoctor(t *testing.T) {
	const yes, no = openai.Yes, openai.No
	for _, test := range []struct {
		name string
		base func(*testing.T) string
		want map[string]openai.Verdict
	}{
		{"llama-server", func(t *testing.T) string { return llama(t, carried(t, "q8_0")) }, map[string]openai.Verdict{
			"speaks nd/1": yes, "special tokens shown": yes, "special token is one token": yes, "streams": yes, "usage told": yes,
			"window told": yes, "tokenizes": yes, "token-id prompt": yes, "token ids returned": no, "stop_token_ids": no,
			"log probabilities": yes, "two replies (n=2)": no, "schema binds": yes, "prefix cache": yes, "errors told": yes,
		}},
		{"llama-server, a chat model", func(t *testing.T) string { return llama(t, chatting().write(t), "-c", "65536") }, map[string]openai.Verdict{
			"speaks nd/1": no, "steps by chat": yes, "window told": yes, "prefix cache": yes, "log probabilities": yes,
		}},
		{"Ollama", func(t *testing.T) string { return ollama(t, carried(t, "q8_0"), ollamaPlain) }, map[string]openai.Verdict{
			"speaks nd/1": yes, "special tokens shown": yes, "special token is one token": yes, "streams": yes, "usage told": yes,
			"window told": no, "tokenizes": no, "token-id prompt": no, "log probabilities": no, "two replies (n=2)": no, "errors told": yes,
		}},
		{"Ollama, a chat model", func(t *testing.T) string { return ollama(t, chatting().write(t), ollamaChat) }, map[string]openai.Verdict{
			"speaks nd/1": no, "steps by chat": yes, "window told": no, "usage told": yes,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := asking(t, test.base(t), func(c *openai.Config) { c.Dialect = openai.Auto })
			found, err := p.Probe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !found.Usable() {
				t.Error("it cannot be stepped")
			}
			seen := map[string]openai.Verdict{}
			for _, item := range found.Items {
				seen[item.Name] = item.Verdict
				t.Logf("%-28s %-8s %s", item.Name, item.Verdict, item.Seen)
			}
			for _, name := range slices.Sorted(maps.Keys(test.want)) {
				if seen[name] != test.want[name] {
					t.Errorf("%s: %s, want %s", name, seen[name], test.want[name])
				}
			}
		})
	}
}
