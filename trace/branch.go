package trace

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// edit is a request by which the user changed the program.
type edit struct {
	verb  Verb
	event int // the last event before it
	up    int
	text  string
}

// touched stores an edit, so that a branch can repeat it. After one, the unrecorded past of
// this run cannot be made any more, because making it repeats no edits.
func (r *Recording) touched(e edit) {
	switch e.verb {
	case VerbExec, VerbInteract, VerbJump, verbDebug:
		r.chance.broken = "you changed it with a statement, an edit or a jump, and that is not repeated"
	case VerbUserCode:
		r.chance.broken = "a breakpoint made a library's file user code, and that is not repeated"
	default:
		return
	}
	r.edits = append(r.edits, e)
}

// Again returns what happens again, or may differ, if the program is run again, for example that it
// started a thread or wrote files. The list is empty if npdb saw nothing of that kind.
func (r *Recording) Again() (list []string) {
	r.moving.Lock()
	defer r.moving.Unlock()
	for _, kind := range noPastKinds {
		if why := r.chance.reasons[kind]; why != "" {
			list = append(list, why)
		}
	}
	if path := r.chance.changed(); path != "" {
		list = append(list, path+" has changed since it read it")
	}
	return list
}

// CanBranch returns nil if Branch can be tried at an event, otherwise a *NoPast.
func (r *Recording) CanBranch(event int) error {
	if _, no := r.branchable(event); no != nil {
		return no
	}
	if _, done, no := r.inputAgain(); no != nil {
		return no
	} else {
		done()
	}
	return nil
}

// Branch runs the program again in a new process up to an event of this run, and returns that run. Up to
// that event the new run has the events and values of this run, and Branch repeats the user's earlier
// edits; from there on the new run is live. This run is not changed. The error is a *NoPast if the program
// cannot be run again, or if something differed.
func (r *Recording) Branch(ctx context.Context, event int) (*Recording, error) {
	first, no := r.branchable(event)
	if no != nil {
		return nil, no
	}
	in, done, no := r.inputAgain()
	if no != nil {
		return nil, no
	}
	defer done()
	o := first.opts
	o.Stdin = in
	o.again = &repetition{notes: first.chance.notes, pid: r.firstPid(), typed: first.typed}
	for kind := range first.chance.reasons {
		o.again.allowed = append(o.again.allowed, kind)
	}
	branch, landing, err := Start(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("the program could not be started again: %w", err)
	}
	branch.opts.Stdin, branch.following = first.opts.Stdin, true
	branch.addressed = true // so that records are not searched for addresses: they matter for a past only
	defer context.AfterFunc(ctx, branch.Kill)()
	if err = branch.branchOff(ctx, first, landing, event); err != nil {
		_ = branch.Close()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	return branch, nil
}

// branchable returns a copy of the fields that a branch needs, or why there can be no branch at an event.
func (r *Recording) branchable(event int) (*Recording, *NoPast) {
	r.moving.Lock()
	defer r.moving.Unlock()
	switch {
	case r.pending:
		return nil, &NoPast{"user", "it waits for input"}
	case event < 0 || event >= r.tree.Len():
		return nil, &NoPast{"nothing", "the event was not recorded"}
	case lookup(r.opts.Env, "PYTHONHASHSEED") == "random":
		return nil, &NoPast{"setting", "PYTHONHASHSEED is random, so that sets have another order in each run"}
	}
	if len(r.stretches) == 0 && r.tree.Holes() > 0 && r.opts.From == "" {
		return nil, &NoPast{"setting", "a part of it ran unrecorded, and this session does not note what is needed to repeat that"}
	}
	for _, e := range r.edits {
		if e.verb == verbDebug && e.event <= event {
			return nil, &NoPast{"user", "you ran debug before this event, and that is not repeated"}
		}
	}
	for _, s := range r.stretches {
		if s.cut && s.start <= event {
			return nil, &NoPast{"user", "you interrupted it before this event while nothing was recorded, and that moment cannot be found again"}
		}
	}
	return r.asItIs(), nil
}

// branchOff follows the first run up to an event, compares the states there, and makes this run live.
func (r *Recording) branchOff(ctx context.Context, first *Recording, l Landing, event int) error {
	err := r.followTo(ctx, first, l, event)
	if err == nil && r.tree.Len() > event+1 {
		return &NoPast{"nothing", "the program's stack was full there, so that npdb recorded this event afterwards and the program cannot stop at it"}
	}
	if err == nil {
		err = r.editAgain(ctx, first, false)
	}
	if err == nil {
		err = r.compareWhole(first, event)
	}
	if err == nil {
		err = r.compareChanges(ctx, first, event)
	}
	if err != nil {
		return err
	}
	r.following, r.unrecorded, r.toldOnce = false, first.unrecorded, slices.Clone(first.toldOnce)
	r.mu.Lock()
	r.shown = len(r.notices) // the first run has shown them
	r.mu.Unlock()
	if !r.opts.noted() {
		return nil
	}
	_, err = r.ask(ctx, 0, verbSettled, "")
	return err
}

// followTo makes the moves of the first run up to an event.
func (r *Recording) followTo(ctx context.Context, first *Recording, l Landing, event int) error {
	var err error
	if l.Reason == Begun {
		if l, err = r.await(ctx); err != nil {
			return err
		}
	}
	if _, err := r.typeOn(ctx, l); err != nil {
		return err
	}
	if err := r.compare(first, 0, min(r.tree.Len(), event+1)); err != nil {
		return err
	}
	for i, s := range first.stretches {
		if r.tree.Len() > event {
			break
		}
		r.stretches = append(r.stretches, s)
		last := &r.stretches[i]
		switch {
		case s.fast:
			err = r.passUnrecorded(ctx, first, last, event)
		case i+1 < len(first.stretches):
			err = r.passAlike(ctx, first, min(first.stretches[i+1].start, event+1))
		default:
			err = r.passAlike(ctx, first, event+1)
		}
		if err != nil {
			return err
		}
		last.events, last.count = r.tree.Len(), r.chance.count
	}
	return r.passAlike(ctx, first, event+1)
}

// passAlike records the program until it has a number of events, and repeats the edits on the way. It
// returns a *NoPast at the first event that differs from the first run's.
func (r *Recording) passAlike(ctx context.Context, first *Recording, events int) error {
	const chunk = 1000 // how many events may pass before their values are compared
	for r.tree.Len() < events {
		before := r.tree.Len()
		if err := r.editAgain(ctx, first, true); err != nil {
			return err
		}
		var l Landing
		if at := r.tree.Len(); at < events && r.over {
			return r.another("it ended after event %d, without %s", at-1, eventText(first, at))
		} else if at == before {
			to := min(at+chunk, events)
			for _, e := range first.edits[len(r.edits):] {
				to = min(to, max(e.event+1, at+1))
			}
			var err error
			if l, err = r.step(ctx, []string{"same", expected(first, at, to), "any", "0", "0", "0"}); err != nil {
				return err
			}
		}
		if err := r.compare(first, before, min(r.tree.Len(), events)); err != nil {
			return err
		}
		if r.tree.Len() == before && !r.over && !slices.Contains(staying, l.Reason) {
			return r.another("it does not go on after event %d", before-1)
		}
	}
	return nil
}

// staying lists the reasons for which a move may stop without a new event.
var staying = []Reason{ProgramBreak, ProgramLooks, LimitReached, DiedPostMortem}

// passUnrecorded repeats a stretch that ran unrecorded, and stops at event if the stretch goes beyond it.
func (r *Recording) passUnrecorded(ctx context.Context, first *Recording, s *stretch, event int) error {
	for before := -1; before != r.tree.Len(); {
		before = r.tree.Len()
		if err := r.editAgain(ctx, first, true); err != nil {
			return err
		}
	}
	if s.window == 1 { // all of it is recorded by now
		return r.passAlike(ctx, first, min(s.events, event+1))
	}
	if event < s.events-1 {
		if s.window == 0 {
			return &NoPast{"user", "what led to this event was not recorded"}
		}
		s.move = mode("count", event+1-s.start, 0, 0)
	}
	if _, err := r.step(ctx, r.fastMove(*s)); err != nil {
		return err
	}
	if want := min(s.events, event+1); r.tree.Len() != want {
		return r.another("it recorded %d events up to a stop, not %d", r.tree.Len(), want)
	}
	return r.compare(first, s.start, r.tree.Len())
}

// editAgain repeats the edits that the user made at the last event. It stops at the first jump unless
// jumps is set. An edit that raises an exception did so in the first run, too.
func (r *Recording) editAgain(ctx context.Context, first *Recording, jumps bool) error {
	for len(r.edits) < len(first.edits) {
		e := first.edits[len(r.edits)]
		if e.event != r.tree.Len()-1 || e.verb == VerbJump && !jumps {
			return nil
		}
		_, err := r.ask(ctx, e.up, e.verb, e.text)
		var raised *EvalError
		if err != nil && !errors.As(err, &raised) {
			return err
		}
	}
	return nil
}

// expected encodes events of the first run for the tracer, which stops at the first one that differs.
func expected(first *Recording, from, to int) string {
	var b []byte
	for i := from; i < to; i++ {
		at := first.tree.At(i)
		b = binary.NativeEndian.AppendUint32(b, uint32(at.Line)<<3|whatOf(at))
	}
	return string(b)
}

// whatOf returns the number of an event's kind in tracer/codes.py.
func whatOf(at statetree.Record) uint32 {
	switch {
	case at.Event == dsl.Call:
		return 0
	case at.Event == dsl.Line:
		return 1
	case at.Event == dsl.Exception:
		return 5
	case at.Kind == dsl.Yielded:
		return 3
	case at.Kind == dsl.Unwound:
		return 4
	}
	return 2
}
