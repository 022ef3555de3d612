package python

import (
	"context"
	"errors"
	"fmt"
)

// RefusedError reports an expression that the reprs of the values do not determine.
type RefusedError struct {
	Name   string // the name or operator that is refused; "" for the whole expression
	Reason string // "Account(owner='ann') is known only as text"
	// Syntax names a kind of expression that a Condition does not support, such as "a
	// comprehension". Eval supports it.
	Syntax string
}

func (e *RefusedError) Error() string {
	if e.Name == "" {
		return e.Reason
	}
	return e.Name + ": " + e.Reason
}

// EvalError is an exception that an expression raised, or its syntax error.
type EvalError struct {
	Type    string // "NameError"
	Message string // "name 'y' has no value here"
	newer   string // the message since Python 3.14, if it differs from Message
	placed  bool   // the event for the line that raised it has been reported
	loose   bool   // CPython's message may differ
}

func (e *EvalError) Error() string {
	if e.Message == "" {
		return e.Type
	}
	return e.Type + ": " + e.Message
}

// SyntaxError reports a source file that is not valid in the given version of Python.
type SyntaxError struct {
	Line    int // from 1; 0 if unknown
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d: SyntaxError: %s", e.Line, e.Message)
}

// LimitError reports an evaluation that grew too large or took too long. Err is
// context.DeadlineExceeded in the second case.
type LimitError struct {
	Reason string // "it takes longer than 2s"
	Err    error
}

func (e *LimitError) Error() string { return "not evaluated: " + e.Reason }

func (e *LimitError) Unwrap() error { return e.Err }

// raised returns an exception that the expression raises.
func raised(kind, format string, args ...any) *EvalError {
	return &EvalError{Type: kind, Message: fmt.Sprintf(format, args...)}
}

// loosely returns an exception whose message may differ from CPython's.
func loosely(kind, format string, args ...any) *EvalError {
	e := raised(kind, format, args...)
	e.loose = true
	return e
}

// syntaxError returns a SyntaxError with CPython's message.
func syntaxError(format string, args ...any) error { return raised("SyntaxError", format, args...) }

func refused(name, reason string) *RefusedError {
	return &RefusedError{Name: name, Reason: reason}
}

func tooLarge(format string, args ...any) *LimitError {
	return &LimitError{Reason: "it needs " + fmt.Sprintf(format, args...)}
}

// givenUp returns the error for an evaluation whose context has ended.
func givenUp(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) {
		return &LimitError{Reason: "its time is up before it has a result", Err: cause}
	}
	return cause
}

// endedError is the value of the panic that ends an evaluation after its context has ended.
type endedError struct{ error }

// recoverError converts the panics of evaluation and parsing to an error. Any other panic is a bug
// and continues.
func recoverError(err *error) {
	switch e := recover().(type) {
	case nil:
	case *EvalError:
		*err = e
	case *RefusedError:
		*err = e
	case *LimitError:
		*err = e
	case endedError:
		*err = e.error
	default:
		panic(e)
	}
}
