package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxEvent bounds one event of a stream, in bytes. Servers that do not really stream send
// the whole reply as one event, with the log probabilities of its tokens.
const maxEvent = 16 << 20

var errLongEvent = errors.New("an event of the stream has more than 16 MiB")

// events reads a stream of server-sent events (WHATWG HTML, section 9.2) and passes on only
// the data, one line for each event. go-openai cannot read such streams itself: it keeps
// comments, loses an error after a comment, reads lines of any length, and takes each line
// for an event. An error object is rewritten so that go-openai treats it as an ordinary
// chunk.
type events struct {
	body    io.ReadCloser
	lines   *bufio.Reader
	begun   bool   // the first line was read, so no byte order mark can follow
	skipLF  bool   // the last line ended in \r, so a following \n belongs to it
	data    []byte // of the current event
	pending []byte
	err     error
}

func newEvents(body io.ReadCloser) *events {
	return &events{body: body, lines: bufio.NewReaderSize(body, 16<<10)}
}

// Close closes the stream.
func (e *events) Close() error { return e.body.Close() }

// Read returns data lines only.
func (e *events) Read(p []byte) (int, error) {
	for len(e.pending) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		line, err := e.line()
		e.err = err
		e.pending = respell(e.event(line))
	}
	n := copy(p, e.pending)
	e.pending = e.pending[n:]
	return n, nil
}

// event returns the data of the event that ends with this line, or nil if none does. Data
// that is complete JSON is returned without waiting for an empty line, which not all
// servers send.
func (e *events) event(line []byte) []byte {
	first := len(e.data) == 0
	if field, value, _ := bytes.Cut(line, []byte(":")); string(field) == "data" {
		if !first {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, bytes.TrimSpace(value)...)
		if len(e.data) > maxEvent {
			e.data, e.err = nil, errLongEvent
		}
	}
	ended := len(line) == 0 || e.err != nil
	if len(e.data) == 0 || !first && !ended {
		return nil
	}
	e.data = repaired(e.data)
	whole := json.Valid(e.data) || string(e.data) == doneEvent
	if !whole && (e.err != nil || !ended) {
		if errors.Is(e.err, io.EOF) {
			e.err = io.ErrUnexpectedEOF
		}
		return nil // the JSON is incomplete
	}
	data := e.data
	e.data = nil
	if string(data) == doneEvent {
		// A connection can be reused only if the body was read to its end.
		_, _ = io.CopyN(io.Discard, e.lines, 4<<10)
	}
	return data
}

// doneEvent is the data of the event that ends a stream.
const doneEvent = "[DONE]"

// line reads one line and removes its end (\n, \r\n or \r). With an error it returns the
// text before the error.
func (e *events) line() ([]byte, error) {
	var line []byte
	for {
		b, err := e.lines.ReadByte()
		if err != nil {
			return e.begin(line), err
		}
		skip := e.skipLF && b == '\n'
		e.skipLF = b == '\r'
		switch {
		case skip:
		case b == '\n' || b == '\r':
			return e.begin(line), nil
		default:
			line = append(line, b)
			next, _ := e.lines.Peek(e.lines.Buffered())
			if end := bytes.IndexAny(next, "\r\n"); end >= 0 {
				next = next[:end]
			}
			line = append(line, next...)
			if _, err := e.lines.Discard(len(next)); err != nil || len(line) > maxEvent {
				return nil, errLongEvent
			}
		}
	}
}

// begin removes the byte order mark from the first line.
func (e *events) begin(line []byte) []byte {
	if !e.begun {
		e.begun = true
		return bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return line
}

// respell returns an event's data in the form that go-openai expects, or nil for an event
// without content.
func respell(data []byte) []byte {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	out := append(make([]byte, 0, len(data)+9), "data: "...)
	// go-openai expects one line. A line end in JSON is whitespace.
	data = bytes.ReplaceAll(data, []byte("\n"), []byte(" "))
	if rest, ok := bytes.CutPrefix(data, []byte("{")); ok {
		// go-openai looks for {"error": without a space in it.
		out = append(append(out, "{ "...), rest...)
	} else {
		out = append(out, data...)
	}
	return append(out, '\n')
}
