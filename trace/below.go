package trace

import (
	"context"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// BelowFrame is a frame that the current exception has already left. It is in the exception's
// traceback, but no longer on the stack.
type BelowFrame struct {
	Path     string
	Line     int // line that raised the exception or made the call that raised it
	Function string
	At       int // line at which the exception left the frame, for example in a finally clause
	// Activation is the number of the frame's activation in the State Tree, or -1 if the
	// frame's code is not user code.
	Activation int
}

// Below returns the frames that the exception at the live edge has already left, innermost
// last. It returns none if the event at the live edge is not an exception. Ask evaluates in the
// n-th of these frames if its argument up is -n.
func (r *Recording) Below(ctx context.Context) ([]BelowFrame, error) {
	fields, err := r.askFields(ctx, 0, verbBelow)
	var frames []BelowFrame
	for ; len(fields) >= 5; fields = fields[5:] {
		f := BelowFrame{Path: fields[0], Function: fields[2], Activation: -1}
		f.Line, _ = strconv.Atoi(fields[1])
		f.At, _ = strconv.Atoi(fields[3])
		if n, err := strconv.Atoi(fields[4]); err == nil {
			f.Activation = n
		}
		frames = append(frames, f)
	}
	return frames, err
}

// LocalsBelow returns the locals of the n-th frame that Below returns, counted from 1.
func (r *Recording) LocalsBelow(ctx context.Context, n int) ([]dsl.Local, error) {
	fields, err := r.askFields(ctx, -n, verbLocals)
	var locals []dsl.Local
	for ; len(fields) >= 3; fields = fields[3:] {
		locals = append(locals, dsl.Local{Name: fields[0], Value: fields[1], Hidden: fields[2] != ""})
	}
	return locals, err
}

func (r *Recording) askFields(ctx context.Context, up int, v Verb) ([]string, error) {
	answer, err := r.Ask(ctx, up, v, "")
	if err != nil || answer.Text == "" {
		return nil, err
	}
	return strings.Split(answer.Text, "\x00"), nil
}
