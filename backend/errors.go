package backend

import (
	"time"

	"github.com/npdb/npdb/dsl"
)

// ErrorKind classifies why a request failed.
type ErrorKind uint8

// The kinds of errors. npdb eval stores these numbers in files: append new kinds at the end only.
const (
	Unreachable  ErrorKind = iota + 1 // no server there: connection refused, unknown host, no route
	TimedOut                          // no reply within the time limit
	Unauthorized                      // 401, 403: the key is missing, wrong or lacks the permission
	NoModel                           // 404, or the server does not have the model
	NoEndpoint                        // an HTTP server that does not speak this API: HTML, 404, 405
	RateLimited                       // 429
	ServerFailed                      // 5xx, or an error object in the stream
	BadRequest                        // another 4xx: the server rejects this request
	TooLong                           // the prompt exceeds the model's context window: compact it
	Cut                               // the reply ended in the middle
	Endless                           // the reply reached the limit of tokens or bytes without an end
	NoState                           // the reply is complete, but is not a valid state: see Reply
	Unwritable                        // the request cannot be written in the model's dialect
	NoQuota                           // 402, or a 429 for which waiting does not help
	Withheld                          // not sent, because sending it off this machine is not allowed
)

// Error is a failed request. Message is one line for the user: what happened and what to do. It
// contains no credentials.
type Error struct {
	Kind    ErrorKind
	Message string
	Status  int // of the HTTP response; 0 if there was none
	// After is the delay that the server asks for before a retry; 0 if it does not name one.
	After time.Duration
	// Raw is the text of the model's reply so far. It is set for the kinds Cut, Endless and
	// NoState.
	Raw string
	// Thoughts is the model's reasoning before Raw. It is set only for the kinds for which Raw is.
	Thoughts string
	// Reply holds the fields of the state that could be read from Raw, and Known names them.
	Reply     dsl.Reply
	Known     dsl.Known
	Err       error       // the cause; for NoState the error of the dialect's decoder
	Discarded []Discarded // the unusable replies to the request
}

func (e *Error) Error() string { return e.Message }

// Said returns all that the model wrote, its reasoning first; "" if it wrote nothing.
func (e *Error) Said() string { return said(e.Thoughts, e.Raw) }

func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed a moment later.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case Unreachable, TimedOut, RateLimited, ServerFailed, Cut:
		return true
	}
	return false
}

// Answered reports whether the model replied with something that is not a valid state: other text, or
// more text than fits.
func (e *Error) Answered() bool {
	switch e.Kind {
	case NoState, Endless:
		return true
	case TooLong:
		return e.Status == 0
	}
	return false
}
