package cpython

import (
	"context"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// subject is a program with the way it is run, and its recordings.
type subject struct {
	of      *Predictor
	program *dsl.Program
	origin  origin
	way     way
	signs   *signs // of the program's text; nil before they are read
	runs    []*run
	places  places

	busy bool // the pool's
}

// place is a place in a text as the program has it.
type place struct {
	changes []change // made before the place
	pos     trace.Position
	died    bool  // the exception that ended the program has been shown
	unsaid  error // the text does not determine where it is, or what follows
}

// fresh starts one more recording and makes changes in it.
func (s *subject) fresh(ctx context.Context, changes []change) (*run, error) {
	if err := s.of.pool.room(ctx, s); err != nil {
		return nil, err
	}
	placed := false
	defer func() {
		if !placed { // also when npdb itself fails
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

// tidy closes the broken recordings.
func (s *subject) tidy() {
	s.runs = slices.DeleteFunc(s.runs, func(r *run) bool {
		if r.broken {
			r.close()
			s.of.pool.gone()
		}
		return r.broken
	})
}

// serving returns a recording that contains a place.
func (s *subject) serving(ctx context.Context, at place) (*run, error) {
	return s.recorded(ctx, at, func(r *run) bool { return r.serves(at) })
}

// exact returns a recording that contains a place and has no changes other than the
// place's.
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

// begin returns the place where the program begins.
func (s *subject) begin(ctx context.Context) (place, error) {
	at := place{}
	if s.origin.first.Outcome == dsl.Ended {
		at.pos = trace.Position{Event: -1, End: true}
	}
	_, err := s.serving(ctx, at)
	return at, err
}

// move returns where an action leads. stays reports that the move found nothing.
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

// stop returns the state at a place that is not the end.
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

// reply returns the reply for the place that a move led to.
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
