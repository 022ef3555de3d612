package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
)

var errLongBody = errors.New("the reply has more than 16 MiB")

// read returns the events of a response. It decides by the first character of the body whether this
// is a stream or JSON, not by the Content-Type: servers and proxies label streams as text/plain or
// application/json, or not at all. The error is a *refusal if the body is neither, or is damaged.
func read(res *http.Response) (*events, error) {
	head := bufio.NewReaderSize(res.Body, 16<<10)
	first, err := firstCharacter(head)
	res.Body = struct {
		io.Reader
		io.Closer
	}{head, res.Body}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		res.Body.Close()
		return nil, err
	case first == '{':
		return objects(res)
	case first == ':' || first != 0 && first != '<' && isEventStream(res.Header) || beginsField(head):
		return &events{Closer: res.Body, header: res.Header, lines: head}, nil
	}
	return nil, refuse(res)
}

// encoded reports whether a body is compressed. npdb never asks for compression.
func encoded(h http.Header) bool {
	encoding := strings.TrimSpace(h.Get("Content-Encoding"))
	return encoding != "" && !strings.EqualFold(encoding, "identity")
}

func isEventStream(h http.Header) bool {
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "text/event-stream")
}

// firstCharacter skips whitespace and a byte order mark, and returns the next character without
// consuming it, or 0 at the end.
func firstCharacter(r *bufio.Reader) (rune, error) {
	for {
		c, _, err := r.ReadRune()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\r', '\n', '\ufeff':
		default:
			return c, r.UnreadRune()
		}
	}
}

// beginsField reports whether a field of a server-sent event comes next.
func beginsField(r *bufio.Reader) bool {
	const longest = len("event:")
	next, _ := r.Peek(longest)
	return slices.ContainsFunc([]string{"data:", "event:", "id:", "retry:"}, func(field string) bool {
		return bytes.HasPrefix(next, []byte(field)[:min(len(field), longest)])
	})
}

// objects returns the JSON objects in a body (usually one) as events.
func objects(res *http.Response) (*events, error) {
	defer res.Body.Close()
	data, err := wholeBody(res)
	if err != nil {
		return nil, err
	}
	e := &events{Closer: res.Body, header: res.Header, err: io.EOF}
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var one json.RawMessage
		switch err := d.Decode(&one); {
		case errors.Is(err, io.EOF):
			return e, nil
		case err != nil || one[0] != '{':
			return nil, &refusal{status: res.StatusCode, header: res.Header, body: data}
		}
		e.objects = append(e.objects, one)
	}
}

// damage classifies what is wrong with the body of a response with a success status.
type damage uint8

const (
	foreignText damage = iota // neither JSON nor events
	emptyBody
	cutJSON    // truncated JSON
	brokenBody // invalid JSON or binary data
	packedBody // compressed
)

// damaged returns what is wrong with a body that could not be read as JSON.
func damaged(h http.Header, body []byte) damage {
	body = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(body), []byte("\ufeff")))
	switch {
	case encoded(h):
		return packedBody
	case len(body) == 0:
		return emptyBody
	case body[0] != '{' && body[0] != '[':
		if strings.ContainsFunc(string(body), isBinary) {
			return brokenBody
		}
		return foreignText
	}
	d := json.NewDecoder(bytes.NewReader(body))
	for {
		var one json.RawMessage
		switch err := d.Decode(&one); {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return cutJSON
		case err != nil:
			return brokenBody
		}
	}
}

// isBinary reports whether a character does not occur in text, but in binary data.
func isBinary(r rune) bool {
	return r == '\ufffd' || r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\x1b' && r != '\f'
}
