package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
)

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
// is neither a stream nor JSON, or damaged.
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
	req.Header.Set("Accept-Encoding", "identity")
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
	return &refusal{status: res.StatusCode, header: res.Header, body: repaired(body)}
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
