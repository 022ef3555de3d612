package session

import (
	"context"

	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// pastMaker has the methods of a recording whose past can be made.
type pastMaker interface {
	MakePast(ctx context.Context, p trace.Past) (*trace.Made, error)
	Repeatable() error
}

// demand makes the past that was not recorded, when a backward move asks for it or before.
type demand struct {
	cfg        *Config
	program    *program
	draft      *draft
	position   *position
	journaling *journaling
	visits     *visits
	watching   *watching
	pacing     *pacing

	writes bool        // the user has allowed that the program writes files again
	ahead  *aheadOfAsk // the past that is made in the background
}

// aheadOfAsk is a past that is made while the user looks.
type aheadOfAsk struct {
	rec    pastMaker
	past   trace.Past
	cancel context.CancelFunc
	done   chan struct{}
	made   *trace.Made
	err    error
}

// give returns the past that was made ahead, if it is the wanted one.
func (d *demand) give(ctx context.Context, rec pastMaker, p trace.Past) (made *trace.Made, ok bool, err error) {
	a := d.ahead
	if a == nil || a.rec != rec || a.past != p {
		d.drop()
		return nil, false, nil
	}
	d.ahead = nil
	select {
	case <-a.done:
	case <-ctx.Done():
		a.cancel()
		<-a.done
	}
	return a.made, true, a.err
}

// prepare makes the past before an edge in the background.
func (d *demand) prepare(rec pastMaker, p trace.Past) {
	d.drop()
	ctx, cancel := context.WithCancel(context.Background())
	a := &aheadOfAsk{rec: rec, past: p, cancel: cancel, done: make(chan struct{})}
	d.ahead = a
	go func() {
		defer close(a.done)
		a.made, a.err = rec.MakePast(ctx, p)
	}()
}

// drop ends what is made in the background.
func (d *demand) drop() {
	a := d.ahead
	if a == nil {
		return
	}
	d.ahead = nil
	a.cancel()
	<-a.done
	if a.made != nil {
		_ = a.made.Close() // nothing of it was used
	}
}

// allowAgain allows that a program that wrote files is run again to make its past.
func (d *demand) allowAgain() error {
	r := d.program.recorded()
	if r == nil || !d.cfg.Options.Repeat {
		return errorf(Refused, "record again: this session makes no past (start npdb with --record budget)")
	}
	d.writes = true
	r.TryAgain()
	d.draft.say("A move back into what was not recorded may now run the program again, and write its files again")
	return nil
}

// remake is the nav.Remake of the session.
func (d *demand) remake(ctx context.Context, edge, window int) (nav.Recording, int, error) {
	rec, ok := d.program.rec.(pastMaker)
	if !ok {
		return nil, 0, &trace.NoPast{Kind: "setting", Why: "this recording has no program"}
	}
	past := trace.Past{Edge: edge, Window: window, Writes: d.writes}
	made, ahead, err := d.give(ctx, rec, past)
	if !ahead {
		_, err = d.pacing.running(ctx, func(ctx context.Context) (trace.Landing, error) {
			made, err = rec.MakePast(ctx, past)
			return trace.Landing{}, err
		})
	}
	if err != nil {
		return nil, 0, err
	}
	if err := d.replace(made); err != nil {
		return nil, 0, err
	}
	return made, made.Shift, nil
}

// replace makes a run whose past was made the session's recording. What refers to events and
// activations of the earlier one is brought along or forgotten.
func (d *demand) replace(made *trace.Made) error {
	pr := d.program
	_ = pr.rec.Close() // the new run has taken its place
	pr.mu.Lock()
	pr.rec = made
	pr.mu.Unlock()
	pr.inferring.branches = nil
	d.visits.tree.Shift(made.Edge, made.Shift)
	d.visits.lastMove.from = d.visits.lastMove.from.Shifted(made.Edge, made.Shift)
	d.position.pos = d.position.pos.Shifted(made.Edge, made.Shift)
	d.position.belowHere = nil
	d.draft.output.skip(made.Output(-1, -1))
	d.watching.displays = map[uint32][]*display{}
	for _, w := range d.watching.watches {
		w.in = map[uint32]*watchReading{}
	}
	if path := pr.savedTo; path != "" {
		return d.program.saveTo(path)
	}
	return nil
}

// prepareAhead makes the past before the position in the background, if that is the edge of a hole
// and the user is likely to ask for it.
func (d *demand) prepareAhead() {
	rec, ok := d.program.rec.(pastMaker)
	r := d.program.recorded()
	if !ok || r == nil || !d.cfg.Options.Repeat || d.cfg.Key == nil || d.journaling.replaying != nil || d.position.pos.Inferred > 0 {
		return
	}
	edge := d.position.pos.Event
	if d.position.pos.End {
		edge = d.program.rec.Tree().Len()
	}
	if !d.program.holeAt(edge) || rec.Repeatable() != nil {
		return
	}
	past := trace.Past{Edge: edge, Window: nav.FirstWindow, Writes: d.writes}
	if a := d.ahead; a == nil || a.rec != rec || a.past != past {
		d.prepare(rec, past)
	}
}
