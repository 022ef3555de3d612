package cpython

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/difference"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/contain"
)

// The limits of one verification.
const (
	verifyTime   = 10 * time.Second // unless Verifier.Timeout is set
	verifyEvents = 200_000
)

// Verifier verifies pasts by running the program from there, in a containment. A run begins at a line or
// a call with the locals of the past (trace.Beginning). Only the module of a function is run before
// that.
//
// A past is not run if it is at a return or an exception, if one of its values is unknown or cannot be
// evaluated, or if CPython cannot begin at its line. A past inside of a for or with statement is
// undecided if the run reaches the statement's iterator or context manager. A program that depends on
// the time or on random values is run once, like any other.
type Verifier struct {
	// Timeout limits the time of one verification; zero means 10 seconds. Set it before the first use.
	Timeout time.Duration

	contained *contain.Containment
	running   chan struct{} // limits how many verifications run at the same time
}

var _ backend.Verifier = (*Verifier)(nil)

// NewVerifier returns a verifier that runs programs in a containment. The error is a
// *NotContainedError.
func NewVerifier(c *contain.Containment) (*Verifier, error) {
	if err := contained(c); err != nil {
		return nil, err
	}
	return &Verifier{contained: c, running: make(chan struct{}, runtime.GOMAXPROCS(0))}, nil
}

// Verify runs the program from the past of a claim until it is decided whether the past leads to the
// claim's state.
func (v *Verifier) Verify(ctx context.Context, c backend.Claim) (backend.Verification, error) {
	select {
	case v.running <- struct{}{}:
		defer func() { <-v.running }()
	case <-ctx.Done():
		return backend.Verification{}, ctx.Err()
	}
	limit := v.Timeout
	if limit <= 0 {
		limit = verifyTime
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	got, err := v.try(limited, c)
	var why *undeterminedError
	switch {
	case ctx.Err() != nil:
		return backend.Verification{}, ctx.Err()
	case err != nil && limited.Err() != nil:
		got = backend.Verification{Why: fmt.Sprintf("the program did not get there within %v", limit)}
	case errors.Is(err, errLimit):
		got = backend.Verification{Why: fmt.Sprintf("the program did not get there within %d events", verifyEvents)}
	case errors.As(programsFault(err), &why):
		got = backend.Verification{Verdict: backend.CannotRun, Why: why.why}
	case err != nil:
		return backend.Verification{}, fmt.Errorf("cannot run the program: %w", err)
	}
	got.By = backend.ByRun
	return got, nil
}

// try runs the program. An undeterminedError is the reason why it cannot be run from the past.
func (v *Verifier) try(ctx context.Context, c backend.Claim) (backend.Verification, error) {
	if err := runnable(c); err != nil {
		return backend.Verification{}, err
	}
	at, err := placeFiles(c.Program)
	if err != nil {
		return backend.Verification{}, err
	}
	r := &run{at: at, program: c.Program, shown: map[string]int{}, fatal: -1}
	defer r.close()
	landing, err := v.begin(ctx, r, c.Past)
	if err != nil {
		return backend.Verification{}, err
	}
	var got backend.Verification
	err = r.during(ctx, func() error {
		if err := r.begins(landing, dsl.Reply{}); err != nil {
			return err
		}
		if err := r.beganAt(c.Past); err != nil {
			return err
		}
		t := newTrial(r, c)
		t.lacks = landing.Notice
		got, err = t.follow(ctx)
		return err
	})
	return got, err
}

// runnable returns an undeterminedError if no run can begin at the past of a claim.
func runnable(c backend.Claim) error {
	past := c.Past
	switch {
	case !c.Action.Move.Inverse():
		return undetermined("%s is no backward move", c.Action)
	case past.Event == dsl.Return:
		return undetermined("CPython cannot begin where a function returns")
	case past.Event == dsl.Exception:
		return undetermined("CPython cannot begin where an exception is raised")
	case len(c.Now.Stack) < len(past.Stack):
		return undetermined("the function of this past has ended by then, and its callers cannot be run")
	}
	for _, l := range past.Locals {
		if l.Unknown {
			return undetermined("the value of %s is unknown", l.Name)
		}
	}
	return nil
}

// begin starts a recording at a past.
func (v *Verifier) begin(ctx context.Context, r *run, past *dsl.Stop) (trace.Landing, error) {
	file, ok := fileOf(r.program, past.File)
	if !ok {
		return trace.Landing{}, undetermined("the program has no file %s", past.File)
	}
	frame := trace.BeginningFrame{File: r.at.paths[file], Function: past.Function, Line: past.Line, Complete: true}
	for _, l := range visible(past.Locals) {
		frame.Locals = append(frame.Locals, trace.BeginningLocal{Name: l.Name, Value: l.Value})
	}
	o := trace.Options{
		Script: r.at.paths[0], Dir: r.at.dir, Env: r.at.environment(),
		Begin:    &trace.Beginning{Called: past.Event == dsl.Call, Blocks: true, Frames: []trace.BeginningFrame{frame}},
		UserCode: []string{filepath.Join(r.at.dir, "**")}, LibraryCode: []string{trace.Texts},
	}
	v.contained.Prepare(&o)
	o.Limits.Events = verifyEvents
	rec, landing, err := trace.Start(ctx, o)
	if err != nil {
		return landing, r.at.notBegun(err)
	}
	r.rec = rec
	return landing, r.landed(landing, nil)
}

// notBegun returns an undeterminedError if the program itself is the reason why it could not be started.
func (p *placed) notBegun(err error) error {
	var start *trace.StartError
	if errors.As(err, &start) && (start.Kind == trace.BeginRefused || start.Kind == trace.LocalsRefused) {
		return undetermined("%s", p.said(start.Message))
	}
	return p.refused(err, true)
}

// beganAt checks that the run has begun with the requested state. The repr of a value may change when it
// is evaluated.
func (r *run) beganAt(past *dsl.Stop) error {
	began, err := r.stop(0)
	if err != nil {
		return err
	}
	if !samePlace(began, &dsl.Stop{State: past.State, Stack: past.Stack[len(past.Stack)-1:]}) {
		return undetermined("the program begins at line %d of %s instead", began.Line, began.Function)
	}
	wrong, why := difference.Values(began, past)
	if why != "" {
		return undetermined("%s", why)
	}
	if len(wrong) > 0 {
		return undetermined("a value cannot be made from its text: %s", wrong[0])
	}
	return nil
}
