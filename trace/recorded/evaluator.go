package recorded

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// timeLimit is how long one question may take when its context has no
// deadline.
const timeLimit = 2 * time.Second

// ErrClosed is a question to an Evaluator after Close.
var ErrClosed = errors.New("the evaluator of recorded text is closed")

// Evaluator answers questions about recorded text. Nothing runs until the
// first; then one worker is kept, and started anew when it died. Its methods
// may be called from several goroutines; questions are answered one at a time.
//
// Every method but Close returns *LimitError for work that grew too large or
// took too long (two seconds, or until the deadline of ctx), *WorkerError when
// there is no Python that could do it, and the error of a ctx that was
// cancelled.
type Evaluator struct {
	python string
	turn   chan struct{} // holds one token: whoever has it may use worker
	worker *worker       // nil when none runs
	closed context.Context
	close  context.CancelFunc
}

// New returns an Evaluator whose worker runs under python, a path or a name to
// look for on PATH, 3.9 or newer. It should be the interpreter of the
// recording: values and lines are what that version says they are.
func New(python string) *Evaluator {
	e := &Evaluator{python: python, turn: make(chan struct{}, 1)}
	e.closed, e.close = context.WithCancel(context.Background())
	e.turn <- struct{}{}
	return e
}

// Eval returns the value of expr over the recorded locals, rendered as npdb renders
// values. Of the locals only those that expr names are read; one whose text is
// no literal is a *RefusedError, as is all that recorded text cannot answer.
// What expr raises is an *EvalError. Methods that change a value change a copy.
func (e *Evaluator) Eval(ctx context.Context, expr string, locals []dsl.Local) (string, error) {
	return e.value(ctx, "eval", expr, locals)
}

// Pretty returns Eval, laid out by pprint.pformat.
func (e *Evaluator) Pretty(ctx context.Context, expr string, locals []dsl.Local) (string, error) {
	return e.value(ctx, "pretty", expr, locals)
}

// Whatis returns what pdb's whatis prints for the value of expr: "<class 'int'>",
// "Function <lambda>", "Class builtins.int".
func (e *Evaluator) Whatis(ctx context.Context, expr string, locals []dsl.Local) (string, error) {
	return e.value(ctx, "whatis", expr, locals)
}

// Truth reports whether the value of expr is true, as a breakpoint's condition asks.
func (e *Evaluator) Truth(ctx context.Context, expr string, locals []dsl.Local) (bool, error) {
	text, err := e.value(ctx, "truth", expr, locals)
	return text == "True", err
}

// Close ends the worker and waits until it is gone. A question under way is
// given up with ErrClosed.
func (e *Evaluator) Close() error {
	e.close()
	<-e.turn
	defer func() { e.turn <- struct{}{} }()
	return e.dismiss()
}

func (e *Evaluator) value(ctx context.Context, verb, expr string, locals []dsl.Local) (string, error) {
	operands := []string{expr}
	size := len(expr)
	for _, l := range locals {
		if mayName(expr, l.Name) {
			operands = append(operands, l.Name, l.Value)
			size += len(l.Name) + len(l.Value)
		}
	}
	if size > requestLimit {
		return "", &python.LimitError{Reason: fmt.Sprintf("its values are %d MiB of text, more than %d", size>>20, requestLimit>>20)}
	}
	reply, err := e.ask(ctx, verb, operands)
	if err != nil {
		return "", err
	}
	return reply[1], nil
}

// mayName reports whether an expression may name a local: the worker decides,
// this keeps most texts from being sent. Python normalises identifiers (PEP
// 3131), so that outside ASCII a name need not be spelt as it is recorded.
func mayName(expr, name string) bool {
	if strings.Contains(expr, name) {
		return true
	}
	for i := range len(expr) {
		if expr[i] >= 0x80 {
			return true
		}
	}
	return false
}

// ask sends one question and returns its reply, of one word or more, that is no
// error.
func (e *Evaluator) ask(ctx context.Context, verb string, operands []string) ([]string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(e.closed, func() { cancel(ErrClosed) })()
	select {
	case <-e.turn:
	case <-ctx.Done():
		return nil, givenUp(ctx)
	}
	defer func() { e.turn <- struct{}{} }()
	if e.closed.Err() != nil {
		return nil, ErrClosed
	}
	if err := e.employ(ctx); err != nil {
		return nil, err
	}

	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(timeLimit)
	}
	ctx, stop := context.WithDeadline(ctx, deadline)
	defer stop()
	seconds := max(1, int(math.Ceil(time.Until(deadline).Seconds())))
	w := e.worker
	reply, err := w.exchange(ctx, append([]string{verb, strconv.Itoa(seconds)}, operands...))
	if err != nil {
		e.worker = nil
		if ctx.Err() != nil {
			return nil, w.stopAfter(givenUp(ctx))
		}
		return nil, w.stopAfter(w.died(err))
	}
	if err := e.replyError(reply); err != nil {
		return nil, err
	}
	return reply, nil
}

// employ sees to it that a worker runs. The caller has the turn.
func (e *Evaluator) employ(ctx context.Context) error {
	if e.worker != nil && e.worker.gone() {
		if err := e.dismiss(); err != nil {
			return err
		}
	}
	if e.worker != nil {
		return nil
	}
	w, err := startWorker(ctx, e.python)
	if ctx.Err() != nil {
		err = w.stopAfter(givenUp(ctx))
	}
	if err != nil {
		return err
	}
	e.worker = w
	return nil
}

// dismiss ends the worker if there is one. The caller has the turn.
func (e *Evaluator) dismiss() error {
	w := e.worker
	e.worker = nil
	return w.stop()
}

// givenUp returns the error of a question whose context has ended.
func givenUp(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) {
		return &python.LimitError{Reason: "its time is up before it has a result", Err: cause}
	}
	return cause
}

// replyError returns the error that a reply stands for, nil for an answer.
func (e *Evaluator) replyError(reply []string) error {
	switch {
	case len(reply) == 3 && reply[0] == "refused":
		return &python.RefusedError{Name: reply[1], Reason: reply[2]}
	case len(reply) == 3 && reply[0] == "failed":
		return &python.EvalError{Type: reply[1], Message: reply[2]}
	case len(reply) == 3 && reply[0] == "unparsable":
		line, err := strconv.Atoi(reply[1])
		if err != nil {
			return e.unexpected(reply)
		}
		return &python.SyntaxError{Line: line, Message: reply[2]}
	case len(reply) == 2 && reply[0] == "limit":
		return &python.LimitError{Reason: reply[1]}
	case len(reply) == 2 && reply[0] == "value", len(reply) >= 2 && reply[0] == "outline":
		return nil
	}
	return e.unexpected(reply)
}

func (e *Evaluator) unexpected(reply []string) error {
	return &WorkerError{Python: e.python, Reason: fmt.Sprintf("answered what is no answer: %.60q", reply)}
}
