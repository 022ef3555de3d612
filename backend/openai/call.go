package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"time"

	"github.com/npdb/npdb/backend"
)

// maxBody limits the body of a response that is not streamed, in bytes.
const maxBody = 16 << 20

// call sends a request without streaming and returns the body of the response, JSON or not. fields
// is the body of the request, nil for none.
func (p *Predictor) call(ctx context.Context, method, url string, fields map[string]any) ([]byte, *backend.Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(p.closing, func() { cancel(errClosed) })()
	defer time.AfterFunc(p.cfg.Timeout, func() { cancel(errTimeout) }).Stop()
	res, err := p.do(ctx, method, url, "application/json", fields)
	if err != nil {
		return nil, p.fault(ctx, err)
	}
	defer res.Body.Close()
	body, err := wholeBody(res)
	if err != nil {
		return nil, p.fault(ctx, err)
	}
	return body, nil
}

// unstreamed sends a request in dialect d without streaming, and returns the reply.
func (p *Predictor) unstreamed(ctx context.Context, d Dialect, fields map[string]any) (chunk, *backend.Error) {
	fields["stream"], fields["stream_options"] = false, nil
	body, failure := p.call(ctx, http.MethodPost, p.at.base+d.path(), fields)
	if failure != nil {
		return chunk{}, failure
	}
	c, err := decodeChunk(body)
	if err != nil {
		return chunk{}, &backend.Error{Kind: backend.BadRequest, Message: err.Error(), Err: err}
	}
	return c, nil
}

// do sends a request. fields is its body, nil for none. The error is a *refusal or an error of
// http.Client.
func (p *Predictor) do(ctx context.Context, method, url, accept string, fields map[string]any) (*http.Response, error) {
	var body bytes.Buffer
	if fields != nil {
		if err := encode(&body, fields); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, url, &body)
	if err != nil {
		return nil, err
	}
	if fields != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "identity")
	if p.authorization != "" {
		req.Header.Set("Authorization", p.authorization)
	}
	for name, value := range p.cfg.Headers {
		req.Header.Set(name, value)
	}
	res, err := p.http.Do(req)
	switch {
	case err != nil:
		return nil, err
	case res.StatusCode < 200 || res.StatusCode > 299 || encoded(res.Header):
		return nil, refuse(res)
	}
	return res, nil
}

// encode writes the body of a request. It leaves out fields that are nil.
func encode(body *bytes.Buffer, fields map[string]any) error {
	fields = maps.Clone(fields)
	maps.DeleteFunc(fields, func(_ string, v any) bool { return v == nil })
	enc := json.NewEncoder(body)
	enc.SetEscapeHTML(false) // an escaped "<" takes six bytes, and nd/1 has many
	return enc.Encode(fields)
}

// wholeBody reads the body of a response to its end.
func wholeBody(res *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxBody:
		return nil, errLongBody
	}
	return repaired(body), nil
}

// refusal reports a response that cannot be used: its status is not a success, or its body is
// compressed, damaged, or neither a stream nor JSON.
type refusal struct {
	status int
	header http.Header
	body   []byte
}

func (r *refusal) Error() string { return fmt.Sprintf("HTTP status %d", r.status) }

// refuse returns the refusal for a response, with the rest of its body.
func refuse(res *http.Response) *refusal {
	defer res.Body.Close()
	// Even a truncated body is useful.
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxBody))
	return &refusal{status: res.StatusCode, header: res.Header, body: repaired(body)}
}
