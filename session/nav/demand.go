package nav

import (
	"context"
	"errors"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// FirstWindow is how much of a past is recorded first, in calls and turns of loops. Each further
// move to its beginning makes grows times as much.
const (
	FirstWindow = 10_000
	grows       = 8
)

// Remake makes the past before an edge of the recording, and replaces the recording. It returns the
// new recording and what is added to the numbers of the events from the edge on.
type Remake func(ctx context.Context, edge, window int) (rec Recording, shift int, err error)

// MakesPasts makes backward moves fill the holes that they come to.
func (r *Recorded) MakesPasts(remake Remake) { r.remake = remake }

// passBack makes a backward move, and the past of holes that it comes to.
func (r *Recorded) passBack(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	r.filling = true
	defer func() { r.filling = false }()
	crossing := r.atHole(r.eventOf(from), a.Move)
	for window := FirstWindow; ; window *= grows {
		p, err := r.Pass(ctx, from, a, stops)
		if err != nil || p == nil || p.Boundary != trace.AtHole || crossing || stops.goal != nil || r.base.Stopping() {
			return p, err
		}
		edge := r.eventOf(p.Position)
		shift, filled := r.fill(ctx, edge, window)
		switch {
		case !filled:
			return p, nil
		case from.End || from.PostMortem:
			from = r.rec.LiveEdge()
		case from.Event >= edge:
			from.Event += shift
		}
	}
}

// fill makes the past before an edge and reports whether it is there now. If not, the user is told
// why.
func (r *Recorded) fill(ctx context.Context, edge, window int) (shift int, filled bool) {
	if r.refused[edge] {
		return 0, false
	}
	rec, shift, err := r.remake(ctx, edge, window)
	var no *trace.NoPast
	switch {
	case errors.As(err, &no) && (no.Kind == "setting" || no.Kind == "nothing"):
	case errors.As(err, &no) && no.Kind == "differs":
		r.base.Notice("The program was run again to show what came before, and was %s. So that stays unknown.", no.Error())
	case errors.As(err, &no) && no.Kind == "write":
		r.base.Notice("What came before is not made: %s, and would do so again. record again allows it.", no.Why)
	case errors.As(err, &no):
		r.base.Notice("What came before cannot be made by running the program again: %s.", no.Why)
	case ctx.Err() != nil || r.base.Stopping():
		return 0, false // the user has interrupted; the next move tries again
	case err != nil:
		r.base.Notice("What came before could not be made: %v", err)
	}
	if err != nil {
		if r.refused == nil {
			r.refused = map[int]bool{}
		}
		r.refused[edge] = true
		return 0, false
	}
	pauses := map[int]bool{}
	for event := range r.pauses {
		if event >= edge {
			event += shift
		}
		pauses[event] = true
	}
	for i := range r.replayed {
		if r.replayed[i][0] >= edge {
			r.replayed[i][0] += shift
			r.replayed[i][1] += shift
		}
	}
	r.replayed = append(r.replayed, [2]int{edge, edge + shift})
	r.rec, r.trail, r.pauses, r.edge, r.past, r.refused = rec, nil, pauses, -1, false, nil
	return shift, true
}

// TryAgain makes moves try again to fill the holes whose past could not be made.
func (r *Recorded) TryAgain() { r.refused = nil }

// wasReplayed reports whether an event was recorded by running the program again.
func (r *Recorded) wasReplayed(event int) bool {
	return slices.ContainsFunc(r.replayed, func(part [2]int) bool { return part[0] <= event && event < part[1] })
}
