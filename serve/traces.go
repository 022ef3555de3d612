package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

// maxFrames limits the number of frames in one answer.
const maxFrames = 64

// traces is the dialect of /v1/completions for prompts in the Code World Model's format: a trace of
// frames, one for each event. The answer continues the trace, frame by frame, up to one of the
// request's stop strings or tokens.
type traces struct {
	texts
	known  *rollout.Cache[rollout.Trail] // caches the true events, by the text of the trace up to them
	truth  *rollout.Trail                // the true events up to the end of the prompt
	key    rollout.Key                   // key of the prompt in known
	forced bool
}

// of returns the dialect in which the prompt of a request to /v1/completions is written.
func (t texts) of(q *request, known *rollout.Cache[rollout.Trail]) dialect {
	if context, _, _ := strings.Cut(t.text(q), cwm.StopOfFrame); cwm.Marked(context) {
		return &traces{texts: t, known: known}
	}
	return t
}

// text decodes a prompt, without the token for the beginning of a text.
func (t texts) text(q *request) string {
	ids := q.prompt
	if len(ids) > 0 && ids[0] == beginOfText {
		ids = ids[1:]
	}
	return t.tokenizer.decode(ids)
}

// find determines the state at which a prompt ends. It asks the model for each event of the trace,
// and checks that the trace contains that event.
func (t *traces) find(ctx context.Context, q *request, m *Model) error {
	asked, err := rollout.Read(t.text(q))
	if err != nil {
		return fmt.Errorf("the prompt is not a valid trace: %w", err)
	}
	t.forced = asked.Forced
	told, truth := asked.First, asked.First
	key := rollout.Key{}.Then(told.Added())
	for _, f := range asked.Frames {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		forced := told.Forced(f)
		if told, err = told.Follow(f, forced); err != nil {
			return fmt.Errorf("the prompt is not a valid trace: %w", err)
		}
		key = key.Then(told.Added())
		if known := t.known.Get(key); known != nil {
			truth = known
			continue
		}
		r, err := m.next(ctx, truth, forced)
		if err != nil {
			return err
		}
		if r.Outcome != dsl.Landed {
			return errors.New("the trace continues after the program's end")
		}
		if truth, _, err = truth.Take(r.Stop, forced); err != nil {
			return err
		}
		if truth.Added() != told.Added() {
			return fmt.Errorf("the trace contains an event that does not happen: %q", f.Source)
		}
		t.known.Put(key, truth)
	}
	t.truth, t.key = truth, key
	return nil
}

// all returns the text of the answer: it begins with the frame of the reply first and ends at one
// of the request's stops. cut reports whether the trace would continue.
func (t *traces) all(ctx context.Context, q *request, m *Model, at *dsl.Node, asked dsl.Action, first dsl.Reply) (text string, cut bool, err error) {
	if text, err = t.written(at, asked, first); err != nil {
		return "", false, err
	}
	more, cut := t.rest(ctx, q, first, m)
	return text + more, cut, nil
}

// rest returns the text of the frames after the first one, up to a stop of the request. cut reports
// whether the trace would continue.
func (t *traces) rest(ctx context.Context, q *request, first dsl.Reply, m *Model) (text string, cut bool) {
	var b strings.Builder
	at, key, r, forced := t.truth, t.key, first, t.forced
	for range maxFrames {
		if r.Outcome != dsl.Landed {
			return b.String(), false
		}
		next, _, err := at.Take(r.Stop, forced)
		if err != nil {
			break
		}
		key = key.Then(next.Added())
		t.known.Put(key, next)
		if q.stopsAtFrames(t.tokenizer) || next.Over() {
			return b.String(), false
		}
		if b.Len() > q.most {
			break
		}
		at, forced = next, false
		if r, err = m.next(ctx, at, false); err != nil {
			break
		}
		if r.Outcome != dsl.Landed {
			return b.String(), false
		}
		_, more, err := at.Take(r.Stop, false)
		if err != nil {
			break
		}
		b.WriteString(more)
	}
	return b.String(), true
}

// stopsAtFrames reports whether a request is for a single frame: it stops at the end of a frame.
func (r *request) stopsAtFrames(t *tokenizer) bool {
	for _, id := range r.StopTokenIDs {
		if t.text(id) == cwm.StopOfFrame {
			return true
		}
	}
	for _, stop := range r.stops {
		if stop == cwm.StopOfFrame {
			return true
		}
	}
	return false
}

func (t *traces) question(*request) (at *dsl.Node, asked dsl.Action, err error) {
	return t.truth.Node(), t.action(t.forced), nil
}

func (*traces) action(forced bool) dsl.Action {
	if forced {
		return dsl.Action{Move: dsl.StepReturn}
	}
	return dsl.Action{Move: dsl.StepInto}
}

func (t *traces) written(_ *dsl.Node, _ dsl.Action, r dsl.Reply) (string, error) {
	switch r.Outcome {
	case dsl.Landed:
		_, text, err := t.truth.Take(r.Stop, t.forced)
		return text, err
	case dsl.Ended:
		return cwm.StopOfTrace, nil
	}
	return "", errors.New("a trace cannot express that it is unknown")
}

func (*traces) declined() string { return "" }

func (t *traces) sound(_ *dsl.Node, _ dsl.Action, text string) bool {
	frames, _, err := t.truth.Decode(t.forced).Feed(text)
	if err != nil || len(frames) != 1 {
		return false
	}
	_, err = t.truth.Follow(frames[0], t.forced)
	return err == nil
}

// next asks a model for the event after a trail. If forced is true, it asks for the return of the
// call at the end of the trail.
func (m *Model) next(ctx context.Context, at *rollout.Trail, forced bool) (dsl.Reply, error) {
	p, err := m.Predictor.Predict(ctx, backend.Question{At: at.Node(), Action: (*traces)(nil).action(forced)}, nil)
	if err != nil {
		return dsl.Reply{}, err
	}
	return p.Step.Reply, nil
}
