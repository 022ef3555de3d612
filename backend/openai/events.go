package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// maxEvent bounds one event of a stream, in bytes. Servers that do not really stream send
// the whole reply as one event, with the log probabilities of its tokens.
const maxEvent = 16 << 20

var errLongEvent = errors.New("an event of the stream has more than 16 MiB")

// events reads the events of a reply: a stream of server-sent events (WHATWG HTML, section
// 9.2), or JSON objects.
type events struct {
	io.Closer
	header  http.Header
	objects []json.RawMessage // of a reply that is not a stream
	lines   *bufio.Reader
	skipLF  bool   // the last line ended in \r, so a following \n belongs to it
	data    []byte // of the current event
	err     error
}

// next returns the next event that has content. The error is io.EOF after the last one,
// io.ErrUnexpectedEOF if the last one is cut, an error of decodeChunk, after which further
// events may follow, or an error of the connection.
func (e *events) next() (chunk, error) {
	if len(e.objects) > 0 {
		data := e.objects[0]
		e.objects = e.objects[1:]
		return decodeChunk(data)
	}
	for e.err == nil {
		var line []byte
		line, e.err = e.line()
		first := len(e.data) == 0
		if field, value, _ := bytes.Cut(line, []byte(":")); string(field) == "data" {
			if !first {
				e.data = append(e.data, ' ') // in JSON a line end is a space
			}
			e.data = append(e.data, bytes.TrimSpace(value)...)
			if len(e.data) > maxEvent {
				e.data, e.err = nil, errLongEvent
			}
		}
		ended := len(line) == 0 || e.err != nil
		if len(e.data) > 0 && (first || ended) {
			if c, ok, err := e.event(ended); ok {
				return c, err
			}
		}
	}
	return chunk{}, e.err
}

// doneEvent ends a stream, as the data of its last event.
const doneEvent = "[DONE]"

// event decodes the current event. ok is false if it has no content, or if more lines of it
// may follow. Complete JSON is returned without waiting for an empty line, which not all
// servers send.
func (e *events) event(ended bool) (c chunk, ok bool, err error) {
	switch string(e.data) {
	case doneEvent:
		// A connection can be reused only if the body was read to its end.
		_, _ = io.CopyN(io.Discard, e.lines, 4<<10)
		e.err = io.EOF
	case "null":
	default:
		c, err = decodeChunk(e.data)
		if errors.Is(err, errNoChunk) && (e.err != nil || !ended) && !json.Valid(repaired(e.data)) {
			if errors.Is(e.err, io.EOF) {
				e.err = io.ErrUnexpectedEOF
			}
			return chunk{}, false, nil // the JSON is incomplete
		}
		ok = true
	}
	e.data = e.data[:0]
	return c, ok, err
}

// line reads one line and removes its end (\n, \r\n or \r). With an error it returns the
// text before the error.
func (e *events) line() ([]byte, error) {
	var line []byte
	for {
		b, err := e.lines.ReadByte()
		skip := e.skipLF && b == '\n'
		e.skipLF = b == '\r'
		switch {
		case err != nil:
			return line, err
		case skip:
		case b == '\n' || b == '\r':
			return line, nil
		case len(line) == maxEvent:
			return nil, errLongEvent
		default:
			line = append(line, b)
		}
	}
}
