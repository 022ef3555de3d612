package live

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
)

// TestCarriedModel checks that the model in the binary predicts the same states when it runs in
// llama-server, for the moves of the walks in dsl/vectors, each after the true history. Two kinds
// of differences are accepted. llama-server cannot exclude invalid text while it samples, as npdb
// does: such a reply has almost no probability in npdb, or is not a state. Or the model was
// uncertain, so that rounding decides. A step_return from a state before the return is left out,
// because npdb predicts it in several steps.
func TestCarriedModel(t *testing.T) {
	const moves, most = 200, 300 // number of moves, and maximum tokens of a reply; the longest true reply has fewer
	var halves []*dsl.Reply      // replies of the server with float16 weights, by move; nil for invalid ones
	for _, test := range []struct {
		kind   string
		prompt openai.PromptMode
	}{{"f16", openai.Text}, {"q8_0", openai.IDs}} {
		t.Run(test.kind+" as "+string(test.prompt), func(t *testing.T) {
			theirs := asking(t, llama(t, carried(t, test.kind)), func(c *openai.Config) { c.Prompt, c.MaxTokens = test.prompt, most })
			ours, err := embedded.Shipped(embedded.Config{MaxTokens: most})
			if err != nil {
				t.Fatal(err)
			}
			defer ours.Close()
			var asked, same, free, ruledOut, doubtful, right, rightThere, read, cached int
			var replies []*dsl.Reply
			var took, tookThere time.Duration
			for _, q := range questions(t) {
				if asked == moves {
					break
				}
				asked++
				here, err := ours.Predict(t.Context(), q.Question, nil)
				unsaid := noState(t, err)
				there, err := theirs.Predict(t.Context(), q.Question, nil)
				if noState(t, err) || unsaid {
					free, replies = free+1, append(replies, nil)
					t.Logf("%s: no state, there: %v", q.Action, err)
					continue
				}
				if reflect.DeepEqual(here.Step.Reply, q.want) {
					right++
				}
				replies = append(replies, &there.Step.Reply)
				took, tookThere = took+here.Took, tookThere+there.Took
				read, cached = read+there.Usage.Prompt, cached+there.Usage.Cached
				if reflect.DeepEqual(there.Step.Reply, q.want) {
					rightThere++
				}
				switch {
				case reflect.DeepEqual(here.Step.Reply, there.Step.Reply):
					same++
				case *here.Confidence < 0.01:
					ruledOut++
				case *here.Confidence < 0.5:
					doubtful++
				default:
					t.Errorf("%s: %q with %.2f, there %q with %.2f", q.Action, here.Raw, *here.Confidence, there.Raw, *there.Confidence)
				}
			}
			t.Logf("of %d moves %d have the same state, %d have none, of %d another one is ruled out here, %d were in doubt", asked, same, free, ruledOut, doubtful)
			t.Logf("true are %d, and %d there; of %d tokens read there %d were cached; an answer took %v, and %v there",
				right, rightThere, read, cached, took/time.Duration(asked-free), tookThere/time.Duration(asked-free))
			if halves == nil {
				halves = replies
			} else {
				alike, both := 0, 0
				for i, r := range replies {
					if h := halves[i]; r != nil && h != nil {
						both++
						if reflect.DeepEqual(r, h) {
							alike++
						}
					}
				}
				t.Logf("the server's own answers with f16 and %s are alike in %d of %d", test.kind, alike, both)
			}
			if asked < moves || same < moves*3/4 {
				t.Errorf("fewer than three quarters are the same")
			}
		})
	}
}

// noState reports whether a model's reply is not a state. It fails the test for any other error.
func noState(t testing.TB, err error) bool {
	t.Helper()
	failure, ok := errors.AsType[*backend.Error](err)
	if err != nil && (!ok || failure.Kind != backend.NoState && failure.Kind != backend.TooLong && failure.Kind != backend.Endless) {
		t.Fatal(err)
	}
	return err != nil
}

// questions returns the requests of the walks, except those that npdb sends to its own model in
// another form.
func questions(t testing.TB) []posed {
	t.Helper()
	var all []posed
	for _, q := range walked(t) {
		if s := q.At.Current(); q.Action.Move != dsl.StepReturn || s == nil || s.Event == dsl.Return {
			all = append(all, q)
		}
	}
	return all
}
