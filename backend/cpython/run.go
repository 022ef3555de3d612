package cpython

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// run is a recording with the changes that were made to its program.
type run struct {
	rec     *trace.Recording
	at      *placed
	way     way
	program *dsl.Program
	numbers []int          // number of each of the program's files in the State Tree
	shown   map[string]int // index of each of the program's files by its name in the recording
	changes []change       // in order
	fatal   int            // the exception event that ended the program, or -1
	broken  bool           // the program was killed or is in an unexpected state
	used    uint64         // the pool's clock at the last use

	// The fields below are for a module that is run statement by statement; see loose.go.
	loose    bool
	searched int    // number of events searched for an undefined name
	lost     string // the first undefined name that was used, "" if none
	lostAt   int    // the event that used it
}

// start records a program up to its first state. If the text begins at the program's start, its
// first state must equal the program's.
func (p *Predictor) start(ctx context.Context, s *subject) (*run, error) {
	program, of := s.program, s.origin
	python, err := p.python()
	if err != nil {
		return nil, err
	}
	at, err := placeFiles(program)
	if err != nil {
		return nil, err
	}
	r := &run{at: at, way: s.way, program: program, shown: map[string]int{}, fatal: -1}
	begun := false
	defer func() {
		if !begun { // after an error or a panic
			r.close()
		}
	}()
	entryCall := of.call
	if of.outer != nil {
		file, ok := fileOf(program, of.outer.File)
		if !ok {
			return nil, undetermined("the text begins in %s, which it does not show", of.outer.File)
		}
		entryCall = entry(of.outer, at.paths[file])
	}
	rec, landing, err := p.launch(ctx, r, python, at.paths[0], entryCall)
	if err != nil && entryCall != "" && !importable(err) {
		var script string
		if script, err = at.loosely(at.paths[0]); err != nil {
			return nil, err
		}
		r.loose = true
		rec, landing, err = p.launch(ctx, r, python, script, entryCall)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, at.refused(err, entryCall != "")
	}
	r.rec = rec
	if err := r.landed(landing, nil); err != nil {
		return nil, err
	}
	if err := r.begins(landing, of.first); err != nil {
		return nil, err
	}
	begun = true
	return r, nil
}

// launch starts a recording of a script.
func (p *Predictor) launch(ctx context.Context, r *run, python, script, entryCall string) (*trace.Recording, trace.Landing, error) {
	at := r.at
	args, env := r.way.circumstances()
	below := string(filepath.Separator) + "**"
	o := trace.Options{
		Python: python, Script: script, Dir: at.dir, Args: args, Env: append(at.environment(), env...), Entry: entryCall,
		UserCode: []string{at.dir + below}, LibraryCode: []string{trace.Texts}, // hide code that the tracer evaluates
		Limits: p.config.Limits,
	}
	if script != at.paths[0] {
		o.LibraryCode = append(o.LibraryCode, filepath.Dir(script)+below) // hide npdb's own loader
	}
	if p.config.Prepare != nil {
		p.config.Prepare(&o)
	}
	return trace.Start(ctx, o)
}

// environment returns the program's environment variables. Of npdb's own it passes on only PATH.
func (p *placed) environment() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "TMPDIR=" + p.dir, "LANG=C.UTF-8",
		"PYTHONDONTWRITEBYTECODE=1", "PYTHONBREAKPOINT=0",
	}
	if filepath.Dir(p.paths[0]) != p.dir { // so that imports from the scratch directory work
		env = append(env, "PYTHONPATH="+p.dir)
	}
	return env
}

func fileOf(p *dsl.Program, name string) (int, bool) {
	for i := range p.Files {
		if p.Files[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// begins adds the program's files to the recording, and checks that the run begins with the text's
// first state, if that is required.
func (r *run) begins(landing trace.Landing, first dsl.Reply) error {
	for i, path := range r.at.paths {
		// The module has already run under --entry, and may have replaced its files.
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > r.at.sizes[i] {
			return undetermined("the program has changed its own files")
		}
		n, err := r.rec.AddFile(path)
		if err != nil {
			return undetermined("the program has changed its own files")
		}
		r.numbers = append(r.numbers, n)
		r.shown[r.rec.Tree().Files()[n].Name] = i
	}
	if first.Outcome == 0 && !landing.End {
		return nil // fitting finds the state later
	}
	if landing.End || first.Stop == nil {
		if exit := r.rec.Exit(); landing.End && first.Exit != nil && exit != nil && sameExit(*exit, *first.Exit) {
			return nil
		}
		return undetermined("the program and the text do not begin with the same state: one of them has none")
	}
	begun, err := r.stop(landing.Event)
	if err != nil {
		return err
	}
	if !samePlace(begun, first.Stop) || len(differences(begun, first.Stop)) > 0 || len(begun.Locals) != len(visible(first.Stop.Locals)) {
		return undetermined("the text does not begin where the program does, at line %d of %s with the same locals", begun.Line, begun.Function)
	}
	return nil
}

func sameExit(a, b dsl.Exit) bool {
	return a.Code == b.Code && (a.Exception == nil) == (b.Exception == nil) && (a.Exception == nil || *a.Exception == *b.Exception)
}

func (r *run) close() {
	if r.rec != nil {
		_ = r.rec.Close() // what the program left behind is deleted by remove
	}
	r.at.remove()
}

// during calls do, which uses the recording. If ctx ends first, during kills the program. It marks the
// run as broken if it killed the program, if do panics, or if do fails with an error other than an
// undeterminedError.
func (r *run) during(ctx context.Context, do func() error) error {
	stop := context.AfterFunc(ctx, r.rec.Kill)
	failed := true
	defer func() { r.broken = r.broken || failed }()
	err := do()
	failed = false
	stop()
	if ctx.Err() != nil {
		r.broken = true
		return ctx.Err()
	}
	var why *undeterminedError
	if err != nil && !errors.As(err, &why) {
		r.broken = true
	}
	return err
}

// seek runs the program until it has recorded a position.
func (r *run) seek(ctx context.Context, to trace.Position) error {
	return r.during(ctx, func() error {
		for {
			edge := r.rec.LiveEdge()
			switch {
			case edge.End, edge.PostMortem && !to.End, !to.End && !to.PostMortem && edge.Event >= to.Event:
				return nil
			}
			before := r.rec.Tree().Len()
			var l trace.Landing
			var err error
			if to.End || to.PostMortem {
				l, err = r.rec.Move(ctx, edge, dsl.Action{Move: dsl.Continue})
			} else {
				l, err = r.rec.Pass(ctx, to.Event-edge.Event)
			}
			if err := r.landed(l, err); err != nil {
				return err
			}
			if r.rec.LiveEdge() == edge && r.rec.Tree().Len() == before {
				r.broken = true
				return undetermined("the program does not get past event %d", edge.Event)
			}
		}
	})
}

// landed returns an error if the program stopped because it needs input or reached a limit. It sets
// r.fatal after an uncaught exception.
func (r *run) landed(l trace.Landing, err error) error {
	switch {
	case errors.Is(err, trace.ErrWaiting), err == nil && l.Reason == trace.NeedsInput:
		return undetermined("the program reads its standard input, which is not in the text")
	case err != nil:
		return err
	case l.Reason == trace.LimitReached:
		return errLimit
	case l.Reason == trace.DiedPostMortem:
		r.fatal = l.Event
	}
	return nil
}

// end returns the reply for the end of the program.
func (r *run) end() (dsl.Reply, error) {
	if r.rec.Lost() {
		return dsl.Reply{}, undetermined("the program closed the descriptors that connect it to npdb: nothing after that is recorded")
	}
	return dsl.Reply{Outcome: dsl.Ended, Exit: r.rec.Exit()}, nil
}

// move performs an action by the table of moves, and runs the program further if necessary. died reports
// whether the text has already shown the exception that ends the program. stays reports that the move
// found nothing.
func (r *run) move(ctx context.Context, from trace.Position, a dsl.Action, died bool) (to trace.Position, stays bool, err error) {
	action := r.action(a)
	err = r.during(ctx, func() error {
		for {
			tree := r.rec.Tree()
			before := tree.Len()
			l, err := r.rec.Move(ctx, from, action)
			if err := r.landed(l, err); err != nil {
				return err
			}
			to, stays = l.Position, l.Boundary == trace.AtStart
			switch {
			case l.Reason == trace.DiedPostMortem && died:
				from, action = l.Position, dsl.Action{Move: dsl.Continue}
				continue
			case l.End && statetree.Spot{End: from.End, PostMortem: from.PostMortem, Died: died}.Mourns(r.fatal):
				to = trace.Position{Event: r.fatal, PostMortem: true}
				return nil
			case l.End, stays, l.PostMortem, a.Move.Inverse():
				return nil
			}
			// The program may have stopped before the move landed.
			if out := tree.Land(from.Event, action); out.Boundary == statetree.NoBoundary && out.Event == l.Event {
				return nil
			}
			if tree.Len() == before {
				r.broken = true
				return undetermined("the program does not get past event %d", l.Event)
			}
		}
	})
	return to, stays, err
}

// action converts the file indexes in an action's lines to the recording's file numbers.
func (r *run) action(a dsl.Action) dsl.Action {
	b := dsl.Action{Move: a.Move, Lines: make([]dsl.Location, 0, len(a.Lines))}
	for _, at := range a.Lines {
		if at.File < len(r.numbers) {
			b.Lines = append(b.Lines, dsl.Location{File: r.numbers[at.File], Line: at.Line})
		}
	}
	return b
}

// next returns the run's first change that follows all changes in after, or nil if there is none.
func (r *run) next(after []change) *change {
	if len(r.changes) > len(after) {
		return &r.changes[len(after)]
	}
	return nil
}

// serves reports whether the run contains a place: the changes of the run begin with those of the place,
// and the place comes before the next change.
func (r *run) serves(at place) bool {
	if !begin(r.changes, at.changes) {
		return false
	}
	next := r.next(at.changes)
	return next == nil || !at.pos.End && !at.pos.PostMortem && at.pos.Event <= next.at
}

// shared performs an action from a place in a run that contains a further change. ok is false if the
// action passes that change, because the change may affect the reply.
func (r *run) shared(at place, a dsl.Action) (to trace.Position, stays, ok bool) {
	next := r.next(at.changes)
	out := r.rec.Tree().Land(at.pos.Event, r.action(a))
	switch {
	case out.Boundary == statetree.AtStart:
		return at.pos, true, true
	case out.Boundary == statetree.NoBoundary && out.Event <= next.at:
		return trace.Position{Event: out.Event}, false, true
	}
	return at.pos, false, false
}
