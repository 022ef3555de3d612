package dap

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/google/go-dap"
)

// The maximum sizes of a message and of a line of its header, in bytes.
const (
	mostMessage = 16 << 20
	mostHeader  = 4 << 10
)

// HeaderError reports that a message has no valid header, so that its end is unknown.
type HeaderError struct{ Line string }

func (e *HeaderError) Error() string {
	return fmt.Sprintf("a message begins with %q: each message needs the header Content-Length: N, then an empty line, then N bytes of JSON", e.Line)
}

// BodyError reports that a message is no request, although its header is valid. The next message can be
// read.
type BodyError struct {
	Seq     int    // of the message, 0 if unknown
	Command string // of the request, "" if unknown
	Why     string
}

func (e *BodyError) Error() string { return e.Why }

// request is a request of the client.
type request struct {
	Seq       int             `json:"seq"`
	Type      string          `json:"type"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

// into decodes the arguments of a request. Missing arguments leave args unchanged.
func (r *request) into(args any) error {
	if len(r.Arguments) == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Arguments, args); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return fmt.Errorf("%s: the argument %s is a %s, not a %s", r.Command, kind.Field, kind.Value, kind.Type)
		}
		return fmt.Errorf("%s: the arguments are invalid: %w", r.Command, err)
	}
	return nil
}

// reader reads requests.
type reader struct {
	in *bufio.Reader
	// lenient skips lines that are no header until one is, instead of giving up.
	lenient bool
}

// next reads a request. It skips responses. The error is a *BodyError for a message that can be skipped, a
// *HeaderError, or that of the input.
func (r *reader) next() (*request, error) {
	for {
		n, err := r.header()
		if err != nil {
			return nil, err
		}
		if n > mostMessage {
			if _, err := io.CopyN(io.Discard, r.in, n); err != nil {
				return nil, err
			}
			return nil, &BodyError{Why: fmt.Sprintf("a message of %d bytes was skipped: the limit is %d", n, mostMessage)}
		}
		text := make([]byte, n)
		if _, err := io.ReadFull(r.in, text); err != nil {
			return nil, err
		}
		if q, err := parse(text); q != nil || err != nil {
			return q, err
		}
	}
}

// parse decodes the text of a message. It returns nil for a response.
func parse(text []byte) (*request, error) {
	var q request
	if err := json.Unmarshal(text, &q); err != nil {
		return nil, &BodyError{q.Seq, q.Command, "a message was skipped, because it is not the JSON of a request: " + err.Error()}
	}
	switch {
	case q.Type == "response":
		return nil, nil
	case q.Type != "request":
		return nil, &BodyError{q.Seq, q.Command, fmt.Sprintf("a message of type %q was skipped: clients send requests", q.Type)}
	case q.Command == "":
		return nil, &BodyError{q.Seq, "", "a request without a command was skipped"}
	}
	return &q, nil
}

// header reads the header of a message and returns the length of its content. It accepts no other fields
// than those of the protocol, so that a web page cannot pass an HTTP request off as a message.
func (r *reader) header() (int64, error) {
	length := int64(-1)
	for {
		line, err := r.line()
		if err != nil {
			return 0, err
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		n, bad := strconv.ParseInt(value, 10, 64)
		switch {
		case line == "" && length >= 0:
			return length, nil
		case line != "" && strings.EqualFold(name, "Content-Type"):
		case strings.EqualFold(name, "Content-Length") && bad == nil && n >= 0:
			length = n
		case !r.lenient:
			return 0, &HeaderError{line}
		}
	}
}

// line reads a line of a header, without its end.
func (r *reader) line() (string, error) {
	var text []byte
	for {
		b, err := r.in.ReadByte()
		switch {
		case err != nil:
			return "", err
		case b == '\n':
			return strings.TrimSuffix(string(text), "\r"), nil
		case len(text) < mostHeader:
			text = append(text, b)
		case !r.lenient:
			return "", &HeaderError{string(text[:80])}
		}
	}
}

// writer writes messages with ascending numbers. Several goroutines may use it.
type writer struct {
	mu  sync.Mutex
	out io.Writer
	seq int
	err error // the first error
}

// response is a response to a request.
type response struct {
	dap.Response
	Body any `json:"body,omitempty"`
}

// event is an event.
type event struct {
	dap.Event
	Body any `json:"body,omitempty"`
}

func (w *writer) send(number func(seq int) any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	w.seq++
	text, err := json.Marshal(number(w.seq))
	if err == nil {
		err = dap.WriteBaseMessage(w.out, text)
	}
	w.err = err
}

// event sends an event.
func (w *writer) event(name string, body any) {
	w.send(func(seq int) any {
		e := event{Body: body}
		e.Seq, e.Type, e.Event.Event = seq, "event", name
		return e
	})
}

// answer sends the response to a request: an error response if err is not nil.
func (w *writer) answer(to *request, body any, err error) {
	w.send(func(seq int) any {
		r := response{Body: body}
		r.Seq, r.Type, r.RequestSeq, r.Command, r.Success = seq, "response", to.Seq, to.Command, err == nil
		if err != nil {
			r.Message, r.Body = err.Error(), dap.ErrorResponseBody{Error: errorMessage(err)}
		}
		return r
	})
}

// errorMessage formats an error for the client. The client shows it to the user if err is a *shownError.
func errorMessage(err error) *dap.ErrorMessage {
	var shown *shownError
	return &dap.ErrorMessage{
		Id: 1, Format: "{text}", Variables: map[string]string{"text": err.Error()}, ShowUser: errors.As(err, &shown),
	}
}

// shownError is an error that the client should show to the user at once.
type shownError struct{ error }

func (e *shownError) Unwrap() error { return e.error }
