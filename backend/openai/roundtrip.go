package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
)

// maxBody bounds what is read of a reply that is no stream, in bytes.
const maxBody = 4 << 20

// roundTrip is the HTTP client under go-openai. It adds what that client leaves
// out of a request (fields it does not know, and zeros), and keeps what it
// loses of a reply: the status and headers of a failure, errors in a stream
// that follow a comment, the limit on a line's length.
type roundTrip struct {
	http          *http.Client
	headers       map[string]string
	authorization string
}

// fieldsKey is the context's key for the fields of a request's body.
type fieldsKey struct{}

func withFields(ctx context.Context, fields map[string]any) context.Context {
	return context.WithValue(ctx, fieldsKey{}, fields)
}

// refusal is a reply that is no answer: its status is no success, or its body
// is neither a stream nor JSON.
type refusal struct {
	status int
	header http.Header
	body   []byte
}

func (r *refusal) Error() string { return fmt.Sprintf("HTTP status %d", r.status) }

// Do sends a request. The error is a *refusal or that of http.Client.
func (t *roundTrip) Do(req *http.Request) (*http.Response, error) {
	if fields, ok := req.Context().Value(fieldsKey{}).(map[string]any); ok {
		if err := mergeFields(req, fields); err != nil {
			return nil, err
		}
	}
	if t.authorization != "" {
		req.Header.Set("Authorization", t.authorization)
	}
	for name, value := range t.headers {
		req.Header.Set(name, value)
	}
	res, err := t.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return nil, refuse(res)
	}
	if req.Header.Get("Accept") == "text/event-stream" {
		return stream(res)
	}
	return res, nil
}

func refuse(res *http.Response) *refusal {
	defer res.Body.Close()
	// What came of a body that broke off still says more than nothing.
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxBody))
	return &refusal{status: res.StatusCode, header: res.Header, body: body}
}

// mergeFields writes a request's body anew, with the fields in it. A nil field
// is taken out.
func mergeFields(req *http.Request, fields map[string]any) error {
	body := map[string]any{}
	if req.Body != nil {
		err := json.NewDecoder(req.Body).Decode(&body)
		req.Body.Close()
		if err != nil {
			return err
		}
	}
	maps.Copy(body, fields)
	maps.DeleteFunc(body, func(_ string, v any) bool { return v == nil })
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // "<" would take six bytes, and nd/1 is full of it
	if err := enc.Encode(body); err != nil {
		return err
	}
	data := buf.Bytes()
	req.ContentLength = int64(len(data))
	req.Body = io.NopCloser(bytes.NewReader(data))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	return nil
}

// stream makes a reply's body one that go-openai reads without loss. A server
// that answers with a single JSON object, for it does not stream or failed with
// a status of 200, is read as a stream of one.
func stream(res *http.Response) (*http.Response, error) {
	kind, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	switch kind = strings.ToLower(strings.TrimSpace(kind)); {
	case res.ContentLength == 0:
	case kind == "text/event-stream" || kind == "":
		res.Body = newEvents(res.Body)
		return res, nil
	case kind == "application/json":
		defer res.Body.Close()
		body, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
		if err != nil {
			return nil, err
		}
		var compact bytes.Buffer
		if json.Compact(&compact, body) != nil {
			return nil, &refusal{status: res.StatusCode, header: res.Header, body: body}
		}
		res.Body = newEvents(io.NopCloser(strings.NewReader("data: " + compact.String() + "\n\ndata: [DONE]\n\n")))
		return res, nil
	}
	return nil, refuse(res)
}
