package dsl

import (
	"errors"
	"fmt"
)

// FaultKind says in what way a text is no text of nd/1.
type FaultKind uint8

// Truncated: the text ends in the middle. Malformed: it does not have the
// format's form. Impossible: it has, but says what cannot be, such as a line
// that the program lacks.
const (
	Truncated FaultKind = iota + 1
	Malformed
	Impossible
)

var faultNames = [...]string{Truncated: "cut off", Malformed: "malformed", Impossible: "impossible"}

func (k FaultKind) String() string { return faultNames[k] }

// DecodeError is a text that could not be decoded, and the place where that
// shows: Offset counts bytes from the beginning of the text.
type DecodeError struct {
	Kind    FaultKind
	Offset  int
	Message string
	Outside bool // what is impossible is a line: the program has none such
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("%s at byte %d: %s", e.Kind, e.Offset, e.Message)
}

// EncodeError is a program, state or action that nd/1 cannot write.
type EncodeError struct {
	// NotInContext: the state lies in a file or on a line that the context
	// lacks. A text with a larger context could hold it.
	NotInContext bool
	Message      string
}

func (e *EncodeError) Error() string { return "nd/1 cannot write this: " + e.Message }

// Outside reports whether a state was refused for a line that the program does not have, or
// that reads otherwise there.
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
