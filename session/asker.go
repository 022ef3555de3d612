package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// asker asks a model, one question at a time. It changes nothing of the session.
type asker struct {
	*Neural
	progress func(backend.Update)

	asking sync.Mutex // guards cancel
	cancel context.CancelFunc
}

// reply is what a question came to: an answer or an error. node is the text that
// was asked, a compacted one if the other had outgrown the model's window.
type reply struct {
	node      *dsl.Node
	made      *backend.Prediction
	err       error
	compacted bool
	again     bool // it was given to the same question before
}

func newAsker(n *Neural, progress func(backend.Update)) *asker {
	return &asker{Neural: n, progress: progress}
}

// ask asks one question. It is given up at once when the user has interrupted.
func (q *asker) ask(ctx context.Context, node *dsl.Node, a dsl.Action, o backend.Options, stopping *atomic.Bool) reply {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	q.asking.Lock()
	q.cancel = cancel
	q.asking.Unlock()
	if stopping.Load() {
		cancel()
	}
	question := backend.Question{At: node, Action: a, Options: o}
	predict := func() reply {
		made, err := q.Predictor.Predict(ctx, question, q.progress)
		if err == nil && ctx.Err() != nil {
			err = ctx.Err() // it came after the user had given it up
		}
		return reply{node: question.At, made: made, err: err}
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
	if q.progress != nil {
		q.progress(backend.Update{Restarted: true})
	}
	question.At = short
	r = predict()
	r.compacted = r.err == nil
	if errors.As(r.err, &failed) && (failed.Kind == backend.TooLong || failed.Kind == backend.Endless) {
		r.node, r.err = node, q.unfit(failed, "was compacted, which did not help")
	}
	return r
}

// unfit is the failure of a question that no compaction makes short enough.
func (q *asker) unfit(failed *backend.Error, text string) *backend.Error {
	help := "serve the model with a larger window"
	if q.Predictor.Model().Place == "" { // the one that npdb carries has the window that it has
		help = "ask a model with a larger window (--base-url names its server)"
	}
	out := *failed
	out.Message += fmt.Sprintf(". The text of the program and its states %s: %s, or begin nearer to what matters with --entry", text, help)
	return &out
}

// giveUp cancels the question under way. It may be called from any goroutine.
func (q *asker) giveUp() {
	q.asking.Lock()
	defer q.asking.Unlock()
	if q.cancel != nil {
		q.cancel()
	}
}

// heed passes on what the user should know of an answer.
func (s *Session) heed(r reply) {
	if r.compacted {
		s.notice("The text had outgrown the model's window and was compacted: where iterators stand, which names share an object, globals and closures are lost to the model.")
	}
	if r.made != nil {
		for _, w := range r.made.Warnings {
			s.notice("%s", w)
		}
	}
}
