package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/npdb/npdb/backend"
)

// call sends a request that is not streamed and returns the body of its response, JSON or
// not. It refuses compressed bodies. fields is the request's body, nil for none.
func (p *Predictor) call(ctx context.Context, method, url string, fields map[string]any) ([]byte, *backend.Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(p.closing, func() { cancel(errClosed) })()
	defer time.AfterFunc(p.cfg.Timeout, func() { cancel(errTimeout) }).Stop()
	if fields != nil {
		ctx = withFields(ctx, fields)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, http.NoBody)
	if err != nil {
		return nil, p.fault(ctx, err)
	}
	if fields != nil {
		req.Body = io.NopCloser(strings.NewReader("{}"))
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	res, err := p.http.Do(req)
	if err != nil {
		return nil, p.fault(ctx, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, p.fault(ctx, fmt.Errorf("reading the answer: %w", err))
	case len(body) > maxBody:
		return nil, p.fault(ctx, errors.New("the answer has more than 16 MiB"))
	}
	if encoded(res.Header) {
		return nil, p.refused(&refusal{status: res.StatusCode, header: res.Header, body: body})
	}
	return repaired(body), nil
}
