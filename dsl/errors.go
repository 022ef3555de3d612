package dsl

import (
	"errors"
	"fmt"
)

// FaultKind is the kind of error in an invalid text.
type FaultKind uint8

// Truncated: the text ends too early. Malformed: it violates the grammar of nd/1. Impossible: it
// describes something that cannot exist, such as a line that the program does not have.
const (
	Truncated FaultKind = iota + 1
	Malformed
	Impossible
)

var faultNames = [...]string{Truncated: "cut off", Malformed: "malformed", Impossible: "impossible"}

func (k FaultKind) String() string { return faultNames[k] }

// DecodeError reports an invalid text. Offset is the position of the error in bytes from the
// beginning of the text.
type DecodeError struct {
	Kind    FaultKind
	Offset  int
	Message string
	Outside bool // the text contains a line number that the program does not have, or the wrong source for a line
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("%s at byte %d: %s", e.Kind, e.Offset, e.Message)
}

// EncodeError reports a program, state or action that nd/1 cannot express.
type EncodeError struct {
	// NotInContext reports that the state is in a file or on a line that is not in the context. A
	// text with a larger context could express it.
	NotInContext bool
	Message      string
}

func (e *EncodeError) Error() string { return "nd/1 cannot write this: " + e.Message }

// Outside reports whether err rejects a state because its line does not exist in the program, or
// has another source text there.
func Outside(err error) bool {
	var unread *DecodeError
	var impossible *ImpossibleError
	var unwritable *EncodeError
	switch {
	case errors.As(err, &unread):
		return unread.Outside
	case errors.As(err, &impossible):
		return impossible.Outside
	case errors.As(err, &unwritable):
		return unwritable.NotInContext
	}
	return false
}

func cannotWrite(format string, args ...any) error {
	return &EncodeError{Message: fmt.Sprintf(format, args...)}
}

func notInContext(format string, args ...any) error {
	return &EncodeError{NotInContext: true, Message: fmt.Sprintf(format, args...)}
}
