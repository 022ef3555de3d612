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

// roundTrip is the HTTP client under go-openai. It adds to requests what go-openai omits:
// fields that it does not know, and zero values. It keeps of replies what go-openai loses:
// the status and headers of failures, and errors in a stream that follow a comment. It also
// bounds the length of a line.
type roundTrip struct {
	http          *http.Client
	headers       map[string]string
	authorization string
}

// fieldsKey is the context key for the fields of a request's body.
type fieldsKey struct{}

func withFields(ctx context.Context, fields map[string]any) context.Context {
	return context.WithValue(ctx, fieldsKey{}, fields)
}

// refusal is a response that is no answer: its status is not a success, or its body is
// damaged or neither a stream nor JSON.
type refusal struct {
	status int
	header http.Header
	body   []byte
}

func (r *refusal) Error() string { return fmt.Sprintf("HTTP status %d", r.status) }

// Do sends a request. The error is a *refusal or an error of http.Client.
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
	// Even a truncated body is useful.
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxBody))
	return &refusal{status: res.StatusCode, header: res.Header, body: repaired(body)}
}

// mergeFields rewrites a request's body with the fields added. A nil value removes the
// field.
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
	enc.SetEscapeHTML(false) // "<" would take six bytes, and nd/1 has many of them
	if err := enc.Encode(body); err != nil {
		return err
	}
	data := buf.Bytes()
	req.ContentLength = int64(len(data))
	req.Body = io.NopCloser(bytes.NewReader(data))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	return nil
}
