package backend

import (
	"time"

	"github.com/npdb/npdb/dsl"
)

// ErrorKind says in what way a question failed.
type ErrorKind uint8

// What can go wrong with a question. npdb eval keeps the numbers in a file that lasts: a new
// one comes at the end.
const (
	Unreachable  ErrorKind = iota + 1 // nobody answers there: refused, unknown host, no route
	TimedOut                          // no answer in the time there was
	Unauthorized                      // 401, 403: the key is missing, wrong or not allowed this
	NoModel                           // 404, or a server that lacks the model
	NoEndpoint                        // an HTTP server that does not speak this API: HTML, 404, 405
	RateLimited                       // 429
	ServerFailed                      // 5xx, or an error object in the stream
	BadRequest                        // another 4xx: the server refuses the question itself
	TooLong                           // the text does not fit the model's window: compact it
	Cut                               // the answer ended in the middle
	Endless                           // the answer reached the limit of tokens or bytes without an end
	NoState                           // the answer is complete, and is no state: see Reply
	Unwritable                        // the question cannot be written for this model
	NoQuota                           // 402, or a 429 that waiting does not help
	Withheld                          // it would have left this machine, and may not: nothing was sent
)

// Error is a question that was not answered. Message is one line for a person:
// what happened and what to do, without any credential in it.
type Error struct {
	Kind    ErrorKind
	Message string
	Status  int // of HTTP; 0 if there was none
	// After is when the server wants to be asked again; 0 if it did not say.
	After time.Duration
	// Raw is what the model wrote so far, of Cut, Endless and NoState.
	Raw string
	// Thoughts are what it said to itself first, of the same.
	Thoughts string
	// Reply is what could be read of it, for those.
	Reply     dsl.Reply
	Known     dsl.Known
	Err       error       // what caused it: of NoState a *dsl.DecodeError
	Discarded []Discarded // the replies to it, none of which was an answer
}

func (e *Error) Error() string { return e.Message }

// Said returns all that the model said, its thoughts before the rest; "" where it said nothing.
func (e *Error) Said() string { return said(e.Thoughts, e.Raw) }

func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same question may be answered a moment later.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case Unreachable, TimedOut, RateLimited, ServerFailed, Cut:
		return true
	}
	return false
}

// Answered reports whether the model has answered, with what is no state: words, or more of
// them than there was room for.
func (e *Error) Answered() bool {
	switch e.Kind {
	case NoState, Endless:
		return true
	case TooLong:
		return e.Status == 0
	}
	return false
}
