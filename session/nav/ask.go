package nav

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/redact"
)

// asker sends questions to one model, one at a time, and caches the answers.
type asker struct {
	*Neural
	base     *Base
	progress func(backend.Update)
	drawn    backend.Options // how answers are sampled; a retry changes this
	answers  int             // number of answers to a backward move, 0 for the configured number

	asking sync.Mutex // guards cancel
	cancel context.CancelFunc
}

// reply is the result of a question: an answer or an error. node is the text that was sent. It is a
// compacted one if the original did not fit the model's window.
type reply struct {
	node      *dsl.Node
	made      *backend.Prediction
	err       error
	discarded []backend.Discarded // the model's invalid or broken-off replies
	compacted bool
	again     bool // the answer was taken from the cache
	prefetch  bool // the answer was requested before the user's move
	peeked    bool // the answer was shown by peek, and no move has used it yet
}

func newAsker(b *Base, n *Neural, progress func(backend.Update)) *asker {
	return &asker{Neural: n, base: b, progress: progress}
}

// ask puts one question to the model, or takes its prefetched answer. It is cancelled at once if
// the user has interrupted. It does not change the session's position.
func (q *asker) ask(ctx context.Context, node *dsl.Node, a dsl.Action) reply {
	return q.askShowing(ctx, node, a, q.progress)
}

// askShowing does the same as ask, and passes the reply to show while it is streamed.
func (q *asker) askShowing(ctx context.Context, node *dsl.Node, a dsl.Action, show func(backend.Update)) reply {
	ctx, cancel := q.cancellable(ctx)
	defer cancel()
	asked, ok := q.questionOf(node, a)
	r, ok := q.base.Prefetch.take(ctx, asked, ok && q.recalls(), show)
	if !ok {
		r = q.put(ctx, backend.Question{At: node, Action: a, Options: q.drawn, Answers: q.answers}, show)
	}
	q.base.Prefetch.heard(asked, r)
	q.base.Accounts.add(q.Neural, r)
	return r
}

// cancellable returns a context that GiveUp cancels. It is cancelled at once if the user has interrupted.
func (q *asker) cancellable(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	q.asking.Lock()
	q.cancel = cancel
	q.asking.Unlock()
	if q.base.Stopping() {
		cancel()
	}
	return ctx, cancel
}

// put sends a question to the model. If its text is too long, put compacts the text and tries once
// more. Any goroutine may call it.
func (q *asker) put(ctx context.Context, question backend.Question, show func(backend.Update)) reply {
	node := question.At
	predict := func() reply {
		made, err := q.Predictor.Predict(ctx, question, show)
		if err == nil && ctx.Err() != nil { // the answer arrived after it was cancelled
			discarded := made.Discarded
			if !made.Kept {
				discarded = append(slices.Clip(discarded), backend.Discarded{Usage: made.Usage})
			}
			err = backend.TakeDown(nil, ctx.Err(), discarded)
		}
		return reply{node: question.At, made: made, err: err, discarded: backend.DiscardedBy(made, err)}
	}
	r := predict()
	var failed *backend.Error
	if !errors.As(r.err, &failed) || failed.Kind != backend.TooLong {
		return r
	}
	short, err := node.Compact()
	if err != nil || short.Len() >= node.Len() {
		r.err = q.unfit(failed, "is as short as it can be")
		return r
	}
	if show != nil {
		show(backend.Update{Restarted: true})
	}
	question.At = short
	long := r.discarded
	r = predict()
	r.discarded = slices.Concat(long, r.discarded)
	r.compacted = r.err == nil
	if errors.As(r.err, &failed) && (failed.Kind == backend.TooLong || failed.Kind == backend.Endless) {
		r.node, r.err = node, q.unfit(failed, "was compacted, which did not help")
	}
	return r
}

// unfit returns the error for a question that does not fit even when compacted.
func (q *asker) unfit(failed *backend.Error, text string) *backend.Error {
	help := "serve the model with a larger window"
	if q.Predictor.Model().Place == "" { // the built-in model's window cannot be enlarged
		help = "ask a model with a larger window (--base-url names its server)"
	}
	out := *failed
	out.Message += fmt.Sprintf(". The text of the program and its states %s: %s, or begin nearer to what matters with --entry", text, help)
	return &out
}

// GiveUp cancels the current question and all prefetches. Any goroutine may call it.
func (q *asker) GiveUp() {
	q.base.Prefetch.Stop()
	q.asking.Lock()
	defer q.asking.Unlock()
	if q.cancel != nil {
		q.cancel()
	}
}

// retryTemperature is high enough to sample an answer other than the likeliest one.
const retryTemperature = 0.7

// redraw makes the model sample its answers until done is called. after is the number of states or
// moves so far. It serves as the seed, so that a repeated session gets the same answers.
func (q *asker) redraw(after int) (done func()) {
	temperature, seed := retryTemperature, int64(after)
	q.drawn = backend.Options{Temperature: &temperature, Seed: &seed}
	return func() { q.drawn = backend.Options{} }
}

// tellPlace tells the user if the program is sent to another machine, and how many of its literals
// are redacted.
func (q *asker) tellPlace() {
	m := q.Predictor.Model()
	if m.Away {
		q.base.Notice("The program's source and values are sent to %s, which is not this machine.", m.Place)
	}
	if literals, _ := q.Redact.Told(); literals > 0 {
		q.base.Notice("Redacted in the source, for its name or its form: %s. %s is told '%s'; values are redacted likewise.",
			english.Plural(literals, "literal", ""), q.Called("The model"), redact.Placeholder)
	}
}

// heed shows the user the warnings that came with an answer, and reports if the text was compacted.
// For an answer that peek has shown, that has happened.
func (q *asker) heed(r reply) {
	if r.peeked {
		return
	}
	if r.compacted {
		q.base.Notice("The text had outgrown the model's window and was compacted: where iterators stand, which names share an object, globals and closures are lost to the model.")
	}
	if r.made != nil {
		for _, w := range slices.Concat(q.base.Prefetch.untold(q.Neural), r.made.Warnings) {
			q.base.Notice("%s", w)
		}
	}
}

// Known caches the answers of a session by model, text and action, so that no question is asked
// twice. It does not hold questions that failed or that the model declined.
type Known struct {
	Anew    bool // ask again even if the answer is cached
	answers map[question]reply
}

type question struct {
	of     *Neural
	prompt [sha256.Size]byte
}

// questionOf returns the cache key of a question. It returns false if the action cannot be written
// in the model's dialect.
func (q *asker) questionOf(node *dsl.Node, a dsl.Action) (question, bool) {
	prompt, err := node.Prompt(a)
	return question{q.Neural, sha256.Sum256([]byte(prompt))}, err == nil
}

// recall returns the cached answer to a question.
func (q *asker) recall(node *dsl.Node, a dsl.Action) (reply, bool) {
	if !q.recalls() {
		return reply{}, false
	}
	asked, _ := q.questionOf(node, a)
	r, ok := q.base.Known.answers[asked]
	r.again = ok && !r.peeked
	if !r.compacted {
		r.node = node // use the caller's node, which has the same text
	}
	return r, ok
}

// recalls reports whether cached answers may be used: not during retry. In a replay, the journal
// says whether the answer came from the cache.
func (q *asker) recalls() bool {
	replaying := q.base.Replaying()
	return !q.base.Known.Anew && (replaying == nil || replaying.known())
}

// recalled records in the journal that a cached answer was used.
func (q *asker) recalled() {
	if replaying := q.base.Replaying(); replaying != nil {
		replaying.next()
	}
	q.base.Reply(journal.Reply{Known: true})
}

// keep adds the answer that a move has used to the cache, if it is a new and valid one.
func (q *asker) keep(node *dsl.Node, a dsl.Action, r reply) {
	r.peeked = false
	q.store(node, a, r)
}

// store adds an answer to the cache, if it is a new and valid one.
func (q *asker) store(node *dsl.Node, a dsl.Action, r reply) {
	if r.err != nil || r.again || r.made.Step.Reply.Outcome == dsl.Unknown {
		return
	}
	if asked, ok := q.questionOf(node, a); ok {
		if q.base.Known.answers == nil {
			q.base.Known.answers = map[question]reply{}
		}
		q.base.Known.answers[asked] = r
	}
}

// Replies holds the replies of a journal that were not replayed yet.
type Replies struct{ List []journal.Reply }

// next removes and returns the first reply.
func (r *Replies) next() (given journal.Reply, ok bool) {
	if len(r.List) == 0 {
		return given, false
	}
	given, r.List = r.List[0], r.List[1:]
	return given, true
}

// known reports whether the next reply was a cached answer, so that no model was asked.
func (r *Replies) known() bool { return len(r.List) > 0 && r.List[0].Known }

// replayed returns the journal's answer to a question.
func (q *asker) replayed(node *dsl.Node, a dsl.Action) reply {
	given, ok := q.base.Replaying().next()
	if !ok {
		return reply{node: node, err: errorf(Diverged, "The journal has no reply to %s.", a)}
	}
	if given.Model != "" {
		q.Named = given.Model
	}
	step, err := readReply(node, a, given.Raw)
	if err != nil {
		return reply{node: node, err: errorf(Diverged, "The journal's reply to %s is none: %v", a, err)}
	}
	candidates, err := candidatesOf(given.Candidates, node, a)
	if err != nil {
		return reply{node: node, err: errorf(Diverged, "A candidate of the journal for %s is no state: %v", a, err)}
	}
	return reply{node: node, made: &backend.Prediction{
		Step: step, Raw: given.Raw, Confidence: given.Confidence, Sureness: given.Sureness, NoLocals: given.NoLocals,
		Computed: given.Computed, Checks: given.Checks, Candidates: candidates,
	}}
}

// readReply decodes a reply in the format of the node's text.
func readReply(node *dsl.Node, a dsl.Action, raw string) (dsl.Step, error) {
	d := node.Decode(a)
	err := d.Feed(raw)
	if err == nil {
		err = d.Close(true)
	}
	step, _ := d.Step()
	return step, err
}

// predictionError converts a predictor's error: it adds the kind and the commands that help.
func predictionError(err error, key func(command string) string) error {
	var failed *backend.Error
	if !errors.As(err, &failed) {
		return err
	}
	kind, help := EndpointFailed, key("retry")+" asks again"
	switch failed.Kind {
	case backend.NoState:
		kind, help = NoPrediction, key("retry")+" draws another"
	case backend.Cut, backend.Endless:
		kind = NoPrediction
	case backend.TooLong:
		if failed.Raw != "" { // the reply began but ran out of room
			kind = NoPrediction
		}
	// Asking again would not help.
	case backend.Unwritable, backend.Unauthorized, backend.NoEndpoint, backend.NoQuota, backend.Withheld:
		return &Error{Kind: kind, Message: failed.Message}
	}
	if failed.Said() != "" {
		help = key("raw") + " shows it, " + help
	}
	return &Error{Kind: kind, Message: failed.Message + " (" + help + ")"}
}
