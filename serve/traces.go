package serve

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

const (
	// maxTraces is how many places of traces are remembered.
	maxTraces = 4096
	// maxFrames bounds the frames of one answer.
	maxFrames = 64
)

// traces is the tongue of /v1/completions for prompts of the Code World Model's: a trace,
// which is continued frame by frame up to where the request stops.
type traces struct {
	texts
	known  *traceCache
	truth  *rollout.Trail // what has happened, as far as the prompt tells
	forced bool
}

// place is a trace so far, with the states that were found for it.
type place struct{ truth *rollout.Trail }

// traceCache remembers places by the text that leads there: what comes next follows from
// the state that was answered last, not from that of a text without locals.
type traceCache struct {
	mu    sync.Mutex
	byKey map[[sha256.Size]byte]place
	order [][sha256.Size]byte
}

func (c *traceCache) get(text string) (place, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.byKey[sha256.Sum256([]byte(text))]
	return p, ok
}

func (c *traceCache) put(text string, p place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := sha256.Sum256([]byte(text))
	if c.byKey == nil {
		c.byKey = map[[sha256.Size]byte]place{}
	}
	if _, ok := c.byKey[key]; !ok {
		if len(c.order) == maxTraces {
			delete(c.byKey, c.order[0])
			c.order = c.order[1:]
		}
		c.order = append(c.order, key)
	}
	c.byKey[key] = p
}

// tongueOf is the one that a prompt of /v1/completions is written in.
func (t texts) tongueOf(q *request, known *traceCache) tongue {
	if context, _, _ := strings.Cut(t.text(q), cwm.StopOfFrame); cwm.Marked(context) {
		return &traces{texts: t, known: known}
	}
	return t
}

// text is a prompt without its first token.
func (t texts) text(q *request) string {
	ids := q.prompt
	if len(ids) > 0 && ids[0] == beginOfText {
		ids = ids[1:]
	}
	return t.tokenizer.decode(ids)
}

// find follows a prompt to where it stands, with the states that really happen.
func (t *traces) find(ctx context.Context, q *request, predict predicting) error {
	asked, err := rollout.Read(t.text(q))
	if err != nil {
		return fmt.Errorf("the prompt is no trace: %w", err)
	}
	t.forced = asked.Forced
	told, truth := asked.First, asked.First
	for _, f := range asked.Frames {
		forced := told.Forced(f)
		if told, err = told.Follow(f, forced); err != nil {
			return fmt.Errorf("the prompt is no trace: %w", err)
		}
		text := told.Text()
		if known, ok := t.known.get(text); ok {
			truth = known.truth
			continue
		}
		r, err := predict(ctx, truth, forced)
		if err != nil {
			return err
		}
		if r.Outcome != dsl.Landed {
			return errors.New("the trace goes on after the program's end")
		}
		if truth, _, err = truth.Take(r.Stop, forced); err != nil {
			return err
		}
		if truth.Text() != text {
			return fmt.Errorf("the trace says what does not happen: %q", f.Source)
		}
		t.known.put(text, place{truth})
	}
	t.truth = truth
	return nil
}

// predicting asks what comes after a trail.
type predicting func(ctx context.Context, at *rollout.Trail, forced bool) (dsl.Reply, error)

// rest are the frames after the first one that a request wants, as a text; cut is whether
// more would follow.
func (t *traces) rest(ctx context.Context, q *request, first dsl.Reply, predict predicting) (text string, cut bool) {
	var b strings.Builder
	at, r, forced := t.truth, first, t.forced
	for range maxFrames {
		if r.Outcome != dsl.Landed {
			return b.String(), false
		}
		next, _, err := at.Take(r.Stop, forced)
		if err != nil {
			break
		}
		t.known.put(next.Text(), place{next})
		if q.stopsAtFrames(t.tokenizer) || next.Over() {
			return b.String(), false
		}
		if b.Len() > q.most {
			break
		}
		at, forced = next, false
		if r, err = predict(ctx, at, false); err != nil {
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

// stopsAtFrames reports whether an answer ends with its first frame.
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
	return "", errors.New("a trace has no words for it")
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

// predicts is how a model answers traces.
func (m *Model) predicts() predicting {
	return func(ctx context.Context, at *rollout.Trail, forced bool) (dsl.Reply, error) {
		p, err := m.Predictor.Predict(ctx, backend.Question{At: at.Node(), Action: (*traces)(nil).action(forced)}, nil)
		if err != nil {
			return dsl.Reply{}, err
		}
		return p.Step.Reply, nil
	}
}
