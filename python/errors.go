package python

import (
	"context"
	"errors"
	"fmt"
)

// RefusedError reports an expression that cannot be evaluated over texts.
type RefusedError struct {
	Name   string // the name or operator it is about; "" for the whole expression
	Reason string // "Account(owner='ann') is no literal"
	// Syntax names what a Condition does not support, such as "a comprehension": it is evaluated
	// over texts.
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
	newer   string // the message from Python 3.14 on, if Message does not tell it
	placed  bool   // the line of the instruction that raised it has been told
	loose   bool   // CPython may word the message otherwise
}

func (e *EvalError) Error() string {
	if e.Message == "" {
		return e.Type
	}
	return e.Type + ": " + e.Message
}

// SyntaxError reports a source file that is not valid Python in the reader's version.
type SyntaxError struct {
	Line    int // from 1; 0 when it is not known
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

// raised returns an exception of the expression.
func raised(kind, format string, args ...any) *EvalError {
	return &EvalError{Type: kind, Message: fmt.Sprintf(format, args...)}
}

// loosely returns an exception that CPython may word otherwise.
func loosely(kind, format string, args ...any) *EvalError {
	e := raised(kind, format, args...)
	e.loose = true
	return e
}

// syntaxError returns a SyntaxError in CPython's words.
func syntaxError(format string, args ...any) error { return raised("SyntaxError", format, args...) }

func refused(name, reason string) *RefusedError {
	return &RefusedError{Name: name, Reason: reason}
}

func tooLarge(format string, args ...any) *LimitError {
	return &LimitError{Reason: "it needs " + fmt.Sprintf(format, args...)}
}

// givenUp returns the error of a question whose context has ended.
func givenUp(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) {
		return &LimitError{Reason: "its time is up before it has a result", Err: cause}
	}
	return cause
}

// endedError carries the error of an ended context through a panic.
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
