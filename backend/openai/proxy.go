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

// proxyRefusal is that of a proxy to connect to the server.
type proxyRefusal struct{ status int }

func (e *proxyRefusal) Error() string { return fmt.Sprintf("the proxy answers HTTP %d", e.status) }

// tunnelled keeps the status with which a proxy refuses, of which net/http has words alone.
func tunnelled(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
	if res.StatusCode != http.StatusOK {
		return &proxyRefusal{res.StatusCode}
	}
	return nil
}

// ofProxy reports whether what failed is the way to a proxy, or what is set for one.
func ofProxy(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "proxyconnect" || strings.HasPrefix(op.Op, "socks")) {
		return true
	}
	return strings.Contains(innermost(err).Error(), "proxy") // of the whole, the server's address may have it
}

// proxyRefuses returns the failure of a question that a proxy did not pass on.
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
