//go:build linux

package serve

import (
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/trace/contain"
)

// TestOracleAnswersTheWalk checks that CPython, in a sandbox, answers the prompts of the walk over
// HTTP, and that drift mode continues from a wrong value in the prompt.
func TestOracleAnswersTheWalk(t *testing.T) {
	t.Parallel()
	c := contained(t, contain.Bubblewrap)
	oracle := cpython.New(cpython.Config{Python: c.Python(), Prepare: c.Prepare, Timeout: 2 * time.Minute})
	drift := cpython.New(cpython.Config{Python: c.Python(), Prepare: c.Prepare, Timeout: 2 * time.Minute, Drift: true})
	t.Cleanup(func() { _, _ = oracle.Close(), drift.Close() })
	server := served(t, func(config *Config) {
		config.Models = []Model{{Name: "oracle", Predictor: oracle}, {Name: "drift", Predictor: drift}}
	})
	ask := func(model, prompt string) (text, reason string) {
		got, h := complete(t, server, object{
			"model": model, "prompt": prompt, "max_tokens": 1000, "skip_special_tokens": false,
			"stop": "<|frame_sep|>", "include_stop_str_in_output": true,
		})
		return got.Choices[0].Text, h.Get(reasonHeader)
	}
	asked, replies := prompts(t)
	for i, prompt := range asked {
		if got, why := ask("oracle", prompt); got != replies[i] {
			t.Errorf("question %d: %q because %q, want %q", i, got, why, replies[i])
		}
	}
	// If two runs of the program give different answers, the answer is unknown, with a reason.
	const varies = "<|trace_context_start|>1|x = id(object()) // 16\n2|y = 1\n<|frame_sep|><|line_sep|><|stack_sep|>[[\"<module>\", 1]]{}" +
		"<|action_sep|>1|x = id(object()) // 16\n<|frame_sep|><|debug_sep|>step_over<|frame_sep|>"
	if got, why := ask("oracle", varies); got != "<|unknown_sep|><|frame_sep|>" || !strings.Contains(why, "two runs: they differ in x") {
		t.Errorf("an address: %q because %q", got, why)
	}
	// In this prompt the call's argument is 8 instead of 2.
	shown := strings.Replace(asked[3], `"f"{"x": "2"}`, `"f"{"x": "8"}`, 1)
	shown, _, _ = strings.Cut(shown, "<|return_sep|>")
	for model, value := range map[string]string{"oracle": "3", "drift": "9"} {
		got, why := ask(model, shown)
		if reply := decoded(t, shown, got); reply.Stop == nil || *reply.Stop.Value != value {
			t.Errorf("%s says %q because %q; the value should be %s", model, got, why, value)
		}
	}
}
