package openai

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/npdb/npdb/backend"
)

// proxyRefusal reports that a proxy refused to connect to the server.
type proxyRefusal struct{ status int }

func (e *proxyRefusal) Error() string { return fmt.Sprintf("the proxy answers HTTP %d", e.status) }

// tunnelled returns the status of a proxy's refusal as an error; net/http reports it only as text.
func tunnelled(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
	if res.StatusCode != http.StatusOK {
		return &proxyRefusal{res.StatusCode}
	}
	return nil
}

// ofProxy reports whether an error is due to the proxy: the connection to it failed, or its
// settings are invalid.
func ofProxy(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "proxyconnect" || strings.HasPrefix(op.Op, "socks")) {
		return true
	}
	return strings.Contains(innermost(err).Error(), "proxy") // only the innermost error, because the server's address may contain the word too
}

// proxyRefuses returns the error for a request that the proxy did not forward.
func (p *Predictor) proxyRefuses(status int) *backend.Error {
	var e *backend.Error
	if status == http.StatusProxyAuthRequired {
		e = p.failed(backend.Unauthorized, "is behind a proxy that wants a name and a password (HTTP 407). Set them in HTTP_PROXY or HTTPS_PROXY, as in http://name:password@host:port")
	} else {
		e = p.failed(backend.Unreachable, "cannot be reached: the proxy that HTTPS_PROXY names answers HTTP %d. Check it, and --base-url", status)
	}
	e.Status = status
	return e
}
