package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// maxEvent limits the size of one event of a stream, in bytes. Servers that do not really stream
// send the whole reply as one event, with the log probabilities of all tokens.
const maxEvent = 16 << 20

var errLongEvent = errors.New("an event of the stream has more than 16 MiB")

// events reads the events of a reply: of a stream of server-sent events (WHATWG HTML, section 9.2),
// or of a body of JSON objects.
type events struct {
	io.Closer
	header  http.Header
	objects []json.RawMessage // the rest of a reply that is not a stream
	lines   *bufio.Reader
	skipLF  bool   // the last line ended with \r: skip a \n that follows
	data    []byte // data of the current event
	err     error
}

// next returns the next event that has content. The error is io.EOF after the last event,
// io.ErrUnexpectedEOF if the last event is truncated, an error of decodeChunk (events may follow
// it), or an error of the connection.
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

// doneEvent is the data of the event that ends a stream.
const doneEvent = "[DONE]"

// event decodes the current event. ok is false if it has no content, or if it is incomplete and
// more lines may follow. Complete JSON is returned at once: not all servers send the empty line
// that ends an event.
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

// line reads one line and removes its end (\n, \r\n or \r). With an error it returns the text read
// before the error.
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
