package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxEvent bounds one line of a stream, in bytes. A chunk with the log
// probabilities of many tokens is far below it.
const maxEvent = 1 << 20

var errLongEvent = errors.New("a line of the stream has more than 1 MiB")

// events passes on the data lines of a stream of server-sent events (WHATWG
// HTML, section 9.2) and nothing else: go-openai keeps each comment, loses an
// error that follows one, and reads a line of any length. An error object is
// spelled so that go-openai takes it for a chunk like others.
type events struct {
	body    io.ReadCloser
	lines   *bufio.Reader
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
		data := dataOf(line)
		if err != nil && !json.Valid(data) {
			continue // cut in the middle
		}
		if string(data) == "[DONE]" {
			// Only a body read to its end leaves its connection for the next question.
			_, _ = io.CopyN(io.Discard, e.lines, 4<<10)
		}
		e.pending = respell(data)
	}
	n := copy(p, e.pending)
	e.pending = e.pending[n:]
	return n, nil
}

// line reads one line. With an error comes what there was before it.
func (e *events) line() ([]byte, error) {
	var line []byte
	for {
		part, err := e.lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxEvent:
			return nil, errLongEvent
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// dataOf is what a line says, nil for one that is a comment or another field.
func dataOf(line []byte) []byte {
	data, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data:"))
	if !ok {
		return nil
	}
	return bytes.TrimSpace(data)
}

// respell is a data line as go-openai is to see it, nil for an empty one.
func respell(data []byte) []byte {
	if len(data) == 0 {
		return nil
	}
	out := append(make([]byte, 0, len(data)+9), "data: "...)
	if rest, ok := bytes.CutPrefix(data, []byte("{")); ok {
		// go-openai looks for {"error": without a space in it.
		out = append(append(out, "{ "...), rest...)
	} else {
		out = append(out, data...)
	}
	return append(out, '\n')
}
