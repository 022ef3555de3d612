package live

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
)

// The replies of the chat model: by default it replies in prose. With the schema of npdb's answers
// it replies that the program is on its first line.
const (
	prose  = "Sure! The program is at its first line."
	answer = `{"outcome":"state","event":"line","line":1,"function":null,"stack":null,"locals":[],"names":null,"kind":null,"value":null,"exit_code":null}`
	line   = "1|while True: pass\n"
)

func chatting() *script {
	return &script{
		words: []word{{"<|user|>", true}, {"<|assistant|>", true}, {prose, false}, {answer, false}},
		next:  map[string][]string{"<|assistant|>": {prose, answer}},
		chat:  "{% for m in messages %}{% if m.role == 'assistant' %}<|assistant|>{{ m.content }}<|end|>{% else %}<|user|>{{ m.content }}{% endif %}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}",
	}
}

// ollamaChat is the same chat template in Ollama's form, and the size of the window.
const ollamaChat = `TEMPLATE """{{ range .Messages }}{{ if eq .Role "assistant" }}<|assistant|>{{ .Content }}<|end|>{{ else }}<|user|>{{ .Content }}{{ end }}{{ end }}<|assistant|>"""
PARAMETER num_ctx 65536
`

// trained returns a model that speaks nd/1, and always replies that the program is on its first
// line.
func trained() *script {
	s := &script{words: []word{{"{}", false}, {line, false}}, next: map[string][]string{
		"<|frame_sep|>": {"<|line_sep|>"}, "<|line_sep|>": {"{}"}, "{}": {"<|action_sep|>"},
		"<|action_sep|>": {line}, line: {"<|frame_sep|>"},
	}}
	for _, token := range dsl.Tokens() {
		s.words = append(s.words, word{dsl.ND1.Name(token), true})
	}
	return s
}

const ollamaPlain = "TEMPLATE {{ .Prompt }}\nPARAMETER num_ctx 65536\n"

// loop returns the state of a program that is always on its first line.
func loop(t testing.TB) *dsl.Node {
	t.Helper()
	at, _, err := dsl.ND1.Read("<|trace_context_start|>" + line + "<|frame_sep|>" +
		`<|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>` + line + "<|frame_sep|>")
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestWalks makes 200 steps in each dialect. It checks that every reply is the state, and that it
// has a confidence if the server reports probabilities. If the server reports cached tokens, at
// most 5% of the prompt tokens may be uncached.
func TestWalks(t *testing.T) {
	llamaOptions := []string{"-c", "65536"}
	for _, test := range []struct {
		name         string
		base         func(*testing.T) string
		change       func(*openai.Config)
		sure, cached bool
	}{
		{"llama-server, nd/1 as text", func(t *testing.T) string { return llama(t, trained().write(t), llamaOptions...) }, nil, true, true},
		{"llama-server, nd/1 as ids", func(t *testing.T) string { return llama(t, trained().write(t), llamaOptions...) }, func(c *openai.Config) { c.Prompt = openai.IDs }, true, true},
		{"llama-server, chat", func(t *testing.T) string { return llama(t, chatting().write(t), llamaOptions...) }, func(c *openai.Config) { c.Dialect = openai.Chat }, true, true},
		{"llama-server, chat found out", func(t *testing.T) string { return llama(t, chatting().write(t), llamaOptions...) }, func(c *openai.Config) { c.Dialect = openai.Auto }, true, true},
		{"Ollama, nd/1 as text", func(t *testing.T) string { return ollama(t, trained().write(t), ollamaPlain) }, nil, false, false},
		{"Ollama, chat", func(t *testing.T) string { return ollama(t, chatting().write(t), ollamaChat) }, func(c *openai.Config) { c.Dialect = openai.Chat }, true, false},
		{"Ollama, chat found out", func(t *testing.T) string { return ollama(t, chatting().write(t), ollamaChat) }, func(c *openai.Config) { c.Dialect = openai.Auto }, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, at := asking(t, test.base(t), test.change), loop(t)
			var read, cached int
			for i := range 200 {
				got, err := p.Predict(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.StepInto}}, nil)
				if err != nil {
					t.Fatalf("step %d: %v", i, err)
				}
				if s := got.Step.Reply.Stop; s == nil || s.Line != 1 || s.Event != dsl.Line || (got.Confidence != nil) != test.sure || (got.Usage.Cached >= 0) != test.cached {
					t.Fatalf("step %d: %+v, said %q", i, got, got.Raw)
				}
				if i == 0 {
					t.Logf("%v; confidence told: %v", p.Model(), got.Confidence != nil)
					for _, w := range got.Warnings {
						t.Log(w)
					}
				}
				read += got.Usage.Prompt
				cached += max(got.Usage.Cached, 0)
				if at, err = at.Append(got.Step); err != nil {
					t.Fatal(err)
				}
			}
			if !test.cached {
				t.Logf("%d tokens read; how many were cached is not told", read)
				return
			}
			t.Logf("%d tokens read, %.2f%% of them not from the cache", read, 100*float64(read-cached)/float64(read))
			if 20*(read-cached) > read {
				t.Error("more than 5% were computed anew")
			}
		})
	}
}

// TestSchemaBinds checks that the chat model replies with a state only because of the schema:
// without it the model replies in prose.
func TestSchemaBinds(t *testing.T) {
	for _, test := range []struct {
		name string
		base func(*testing.T) string
	}{
		{"llama-server", func(t *testing.T) string { return llama(t, chatting().write(t), "-c", "65536") }},
		{"Ollama", func(t *testing.T) string { return ollama(t, chatting().write(t), ollamaChat) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			base := test.base(t)
			if said := post(t, base+"/chat/completions", `{"model": "npdb-test", "temperature": 0, "messages": [{"role": "user", "content": "Where is it?"}]}`); !strings.Contains(said, prose) {
				t.Errorf("without a schema the model says %s", said)
			}
			p := asking(t, base, func(c *openai.Config) { c.Dialect = openai.Chat })
			if got, err := p.Predict(t.Context(), backend.Question{At: loop(t), Action: dsl.Action{Move: dsl.StepInto}}, nil); err != nil || got.Raw != answer {
				t.Errorf("%v, %+v", err, got)
			}
		})
	}
}
