package cpython

import (
	"context"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// subject is a program with a way to run it (origin and way), and its recordings.
type subject struct {
	of      *Predictor
	program *dsl.Program
	origin  origin
	way     way
	signs   *signs // of the program's source; nil until readSigns is called
	runs    []*run
	places  places

	busy bool // a question uses the subject; guarded by the pool
}

// place is a position in a run of the program.
type place struct {
	changes []change // the changes made in the run before the position
	pos     trace.Position
	died    bool  // the text has shown the exception that ends the program
	unsaid  error // why this place or later ones are not determined; nil if they are
}

// fresh starts another recording and makes the changes in it.
func (s *subject) fresh(ctx context.Context, changes []change) (*run, error) {
	if err := s.of.pool.room(ctx, s); err != nil {
		return nil, err
	}
	placed := false
	defer func() {
		if !placed { // after an error or a panic
			s.of.pool.gone()
		}
	}()
	r, err := s.of.start(ctx, s)
	if err != nil {
		return nil, err
	}
	s.runs, placed = append(s.runs, r), true
	s.of.pool.touch(r)
	for _, c := range changes {
		if err = r.seek(ctx, trace.Position{Event: c.at}); err == nil {
			err = r.apply(ctx, c)
		}
		if err != nil {
			r.broken = true
			s.tidy()
			return nil, err
		}
	}
	return r, nil
}

// tidy closes and removes the broken recordings.
func (s *subject) tidy() {
	s.runs = slices.DeleteFunc(s.runs, func(r *run) bool {
		if r.broken {
			r.close()
			s.of.pool.gone()
		}
		return r.broken
	})
}

// serving returns a recording that contains a place. It starts one if necessary.
func (s *subject) serving(ctx context.Context, at place) (*run, error) {
	return s.recorded(ctx, at, func(r *run) bool { return r.serves(at) })
}

// exact returns a recording that contains a place and has no further changes. It starts one if
// necessary.
func (s *subject) exact(ctx context.Context, at place) (*run, error) {
	return s.recorded(ctx, at, func(r *run) bool { return r.serves(at) && len(r.changes) == len(at.changes) })
}

func (s *subject) recorded(ctx context.Context, at place, fits func(*run) bool) (*run, error) {
	var r *run
	if i := slices.IndexFunc(s.runs, fits); i >= 0 {
		r = s.runs[i]
		s.of.pool.touch(r)
	} else {
		var err error
		if r, err = s.fresh(ctx, at.changes); err != nil {
			return nil, err
		}
	}
	if err := r.seek(ctx, at.pos); err != nil {
		return nil, err
	}
	return r, nil
}

// begin returns the place at which the program begins.
func (s *subject) begin(ctx context.Context) (place, error) {
	at := place{}
	if s.origin.first.Outcome == dsl.Ended {
		at.pos = trace.Position{Event: -1, End: true}
	}
	_, err := s.serving(ctx, at)
	return at, err
}

// move returns the place to which an action leads. stays reports that the move found nothing.
func (s *subject) move(ctx context.Context, at place, a dsl.Action) (to place, stays bool, err error) {
	to = at
	for _, r := range s.runs {
		if len(r.changes) == len(at.changes) || !r.serves(at) {
			continue
		}
		if err := r.seek(ctx, at.pos); err != nil {
			return at, false, err
		}
		if pos, stays, ok := r.shared(at, a); ok {
			s.of.pool.touch(r)
			to.pos = pos
			return to, stays, nil
		}
	}
	r, err := s.exact(ctx, at)
	if err != nil {
		return at, false, err
	}
	to.pos, stays, err = r.move(ctx, at.pos, a, at.died)
	to.died = at.died || to.pos.PostMortem
	return to, stays, err
}

// stop returns the state at a place, which must not be the end.
func (s *subject) stop(ctx context.Context, at place) (*dsl.Stop, error) {
	r, err := s.serving(ctx, at)
	if err != nil {
		return nil, err
	}
	if next := r.next(at.changes); next != nil && next.at == at.pos.Event {
		return next.before, nil
	}
	return r.stop(at.pos.Event)
}

// reply returns the reply for a move that led to a place.
func (s *subject) reply(ctx context.Context, to place, stays bool) (dsl.Reply, error) {
	if stays {
		return dsl.Reply{Outcome: dsl.AtStart}, nil
	}
	r, err := s.serving(ctx, to)
	if err != nil {
		return dsl.Reply{}, err
	}
	if err := r.lacks(ctx, to.pos); err != nil {
		return dsl.Reply{}, err
	}
	if to.pos.End {
		return r.end()
	}
	stop, err := s.stop(ctx, to)
	return dsl.Reply{Outcome: dsl.Landed, Stop: stop}, err
}
