package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxEvent bounds one event of a stream, in bytes. Servers that do not really stream send
// all of a reply as one, with the log probabilities of its tokens.
const maxEvent = 16 << 20

var errLongEvent = errors.New("an event of the stream has more than 16 MiB")

// events passes on the data of a stream of server-sent events (WHATWG HTML, section
// 9.2), an event a line, and nothing else: go-openai keeps each comment, loses an
// error that follows one, reads a line of any length, and takes each line for an
// event. An error object is spelled so that go-openai takes it for a chunk like
// others.
type events struct {
	body    io.ReadCloser
	lines   *bufio.Reader
	begun   bool   // past where a byte order mark may stand
	skipLF  bool   // the line before ended in \r, which may be half of \r\n
	data    []byte // of the event under way
	pending []byte
	err     error
}

func newEvents(body io.ReadCloser) *events {
	return &events{body: body, lines: bufio.NewReaderSize(body, 16<<10)}
}

// Close gives up the stream.
func (e *events) Close() error { return e.body.Close() }

// Read gives data lines only.
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

// event returns the data of an event that is there with this line, nil as long as there is
// none. One of a line that is whole is not waited for to end: not all servers put an
// empty line between events.
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
		return nil // cut in the middle, or there is more to come
	}
	data := e.data
	e.data = nil
	if string(data) == doneEvent {
		// Only a body read to its end leaves its connection for the next question.
		_, _ = io.CopyN(io.Discard, e.lines, 4<<10)
	}
	return data
}

// doneEvent ends a stream.
const doneEvent = "[DONE]"

// line reads one line, which ends with \n, \r\n or \r, without its end. With an error
// comes what there was before it.
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

// begin takes the byte order mark off the first line.
func (e *events) begin(line []byte) []byte {
	if !e.begun {
		e.begun = true
		return bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return line
}

// respell returns an event's data as go-openai is to see it, nil for what says nothing.
func respell(data []byte) []byte {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	out := append(make([]byte, 0, len(data)+9), "data: "...)
	// A line end in JSON is between its parts: go-openai's lines are one each.
	data = bytes.ReplaceAll(data, []byte("\n"), []byte(" "))
	if rest, ok := bytes.CutPrefix(data, []byte("{")); ok {
		// go-openai looks for {"error": without a space in it.
		out = append(append(out, "{ "...), rest...)
	} else {
		out = append(out, data...)
	}
	return append(out, '\n')
}
