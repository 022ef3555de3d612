package openai

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"

	"github.com/npdb/npdb/backend"
)

// The causes with which npdb cancels the context of a request.
var (
	errTimeout = errors.New("the request's time is over")
	errIdle    = errors.New("the reply has stalled")
	errClosed  = errors.New("the predictor is closed")
)

// fault converts the error of a request to a *backend.Error. ctx is the context of the request.
func (p *Predictor) fault(ctx context.Context, err error) *backend.Error {
	var r *refusal
	var s *serverError
	switch {
	case errors.As(err, &r):
		return p.refused(r)
	case errors.As(err, &s):
		return p.reported(*s, s.Code)
	}
	return p.unreached(ctx, err)
}

// failed returns an error about this server. Its message is the server's address followed by
// format.
func (p *Predictor) failed(kind backend.ErrorKind, format string, args ...any) *backend.Error {
	return &backend.Error{Kind: kind, Message: p.at.place + " " + fmt.Sprintf(format, args...)}
}

// refused converts an unusable response to an error.
func (p *Predictor) refused(r *refusal) *backend.Error {
	if r.status >= 300 && r.status < 400 {
		e := p.failed(backend.NoEndpoint, "sends one elsewhere (HTTP %d, to %s). npdb does not follow: set --base-url to the right address",
			r.status, p.secrets.quote(bare(r.header.Get("Location"))))
		e.Status = r.status
		return e
	}
	if r.status == http.StatusProxyAuthRequired {
		return p.proxyRefuses(r.status)
	}
	said, ok := decodeEnvelope(r.body)
	if !ok {
		return p.foreign(r)
	}
	e := p.reported(said, r.status)
	e.After = retryAfter(r.header.Get("Retry-After"), p.cfg.Now())
	return e
}

// foreign returns the error for a response that cannot come from a server of this API, such as a web
// page.
func (p *Predictor) foreign(r *refusal) *backend.Error {
	what := "what is no JSON"
	trimmed := bytes.TrimSpace(r.body)
	page := bytes.HasPrefix(trimmed, []byte("<")) || strings.Contains(r.header.Get("Content-Type"), "html")
	switch {
	case len(trimmed) == 0:
		what = "an empty body"
	case page:
		what = "a web page"
	case r.status >= 400:
		what = fmt.Sprintf("%q", p.secrets.quote(string(trimmed)))
	}
	var e *backend.Error
	switch {
	case r.status < 300 && !page:
		e = p.spoilt(r)
	case r.status == http.StatusUnauthorized || r.status == http.StatusForbidden:
		e = p.reported(serverError{}, r.status)
	case r.status == http.StatusTooManyRequests || r.status == http.StatusPaymentRequired:
		e = p.reported(serverError{}, r.status)
	case !page && len(trimmed) > 0 && (r.status == http.StatusBadRequest || r.status == http.StatusUnprocessableEntity):
		e = p.reported(serverError{Message: string(trimmed)}, r.status) // a gateway's own message
	case r.status >= 500:
		e = p.failed(backend.ServerFailed, "failed: HTTP %d with %s. Its log may say why", r.status, what)
	default:
		e = p.failed(backend.NoEndpoint, "answers HTTP %d with %s: there is no OpenAI-compatible API at this address. Check --base-url%s", r.status, what, p.hintV1())
		e.Err = &serverError{Message: what}
	}
	e.Status = r.status
	e.After = retryAfter(r.header.Get("Retry-After"), p.cfg.Now())
	return e
}

// spoilt returns the error for a damaged response with a success status. Such a response does not show
// which endpoints the server has, so npdb does not look for other endpoints.
func (p *Predictor) spoilt(r *refusal) *backend.Error {
	switch damaged(r.header, r.body) {
	case emptyBody:
		return p.failed(backend.ServerFailed, "answers HTTP %d with an empty body. Its log, or that of a proxy before it, may say why", r.status)
	case cutJSON:
		return p.failed(backend.Cut, "broke its reply off in the middle: HTTP %d with JSON whose end is missing. Its log may say why", r.status)
	case packedBody:
		return p.failed(backend.ServerFailed, "answers HTTP %d with a compressed body (Content-Encoding: %s), which npdb does not ask for. Switch compression off at the server or a proxy before it",
			r.status, p.secrets.quote(r.header.Get("Content-Encoding")))
	case brokenBody:
		return p.failed(backend.ServerFailed, "answers HTTP %d with a body that cannot be decoded: it is no JSON. Its log may say why", r.status)
	}
	return p.failed(backend.ServerFailed, "answers HTTP %d with what is neither JSON nor a stream of events: %q. Check --base-url%s",
		r.status, p.secrets.quote(string(bytes.TrimSpace(r.body))), p.hintV1())
}

// hintV1 returns a hint for the most common mistake in addresses, a missing /v1.
func (p *Predictor) hintV1() string {
	if strings.HasSuffix(p.at.base, "/v1") {
		return ""
	}
	return "; most servers want /v1 at its end"
}

// reported converts an error that the server reports. status is the HTTP status of the response, or
// that in the error object of a stream.
func (p *Predictor) reported(s serverError, status int) *backend.Error {
	s.fields = optionalIn(s.Message + " " + s.Param)
	s.Message, s.Type, s.Param = p.secrets.quote(s.Message), p.secrets.quote(s.Type), p.secrets.quote(s.Param)
	said := strings.TrimSuffix(s.Message, ".")
	if said == "" {
		said = s.Type
	}
	because := ""
	if said != "" {
		because = ": " + said
	}
	var e *backend.Error
	switch {
	case s.tooLong():
		e = p.failed(backend.TooLong, "refuses the question for its length: %s", said)
	case status == http.StatusPaymentRequired, status == http.StatusTooManyRequests && s.isNoQuota():
		e = p.failed(backend.NoQuota, "has no quota left for this key (HTTP %d)%s. Check the plan that it belongs to", status, because)
	case status == http.StatusUnauthorized && p.cfg.Key == "":
		e = p.failed(backend.Unauthorized, "wants a key (HTTP 401): set OPENAI_API_KEY")
	case status == http.StatusUnauthorized: // its message may contain parts of the key
		e = p.failed(backend.Unauthorized, "does not accept the key (HTTP 401): check OPENAI_API_KEY")
	case status == http.StatusForbidden:
		e = p.failed(backend.Unauthorized, "does not allow this (HTTP 403)%s. Check what the key may do", because)
	case status < http.StatusInternalServerError && s.isForChat():
		e = p.chatAlone(because)
	case status == http.StatusNotFound && s.isNoModel():
		e = p.failed(backend.NoModel, "has no model %q%s. Its models are listed at /v1/models: choose one with --model", p.shown(p.name()), because)
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status == 0 && s.isNoPath():
		e = p.failed(backend.NoEndpoint, "has no completions at this address%s%s. Check --base-url%s", inHTTP(status), because, p.hintV1())
	case status == http.StatusTooManyRequests:
		e = p.failed(backend.RateLimited, "is asked too often (HTTP 429)%s. Wait a little", because)
	case status >= 400 && status < 500:
		e = p.failed(backend.BadRequest, "refuses the question (HTTP %d)%s", status, because)
	default:
		e = p.failed(backend.ServerFailed, "failed%s%s. Its log may say more", inHTTP(status), because)
	}
	e.Status = status
	e.Err = &s
	return e
}

// inHTTP returns a status in parentheses for a message, or "" for status 0.
func inHTTP(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprintf(" (HTTP %d)", status)
}

// unreached converts an error of the connection.
func (p *Predictor) unreached(ctx context.Context, err error) *backend.Error {
	var (
		e         *backend.Error
		dns       *net.DNSError
		authority x509.UnknownAuthorityError
		hostname  x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		netError  net.Error
		tunnel    *proxyRefusal
	)
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errTimeout):
		e = p.failed(backend.TimedOut, "has not answered within %v (--timeout). Its log may say why", p.cfg.Timeout)
	case errors.Is(cause, errIdle):
		e = p.failed(backend.TimedOut, "has stalled: no more of its reply came for %v. Its log may say why", p.cfg.IdleTimeout)
	case errors.Is(cause, errClosed):
		e = p.failed(backend.Unreachable, "is not asked any more: npdb has closed the connection")
	case errors.As(err, &tunnel):
		return p.proxyRefuses(tunnel.status)
	case ofProxy(err): // the proxy's address may contain a password
		return p.failed(backend.Unreachable, "cannot be reached through the proxy that HTTP_PROXY or HTTPS_PROXY names. Check them")
	case errors.As(err, &dns):
		e = p.failed(backend.Unreachable, "cannot be found: no host is named %q. Check --base-url and the network", p.secrets.quote(dns.Name))
	case errors.Is(err, syscall.ECONNREFUSED), strings.Contains(err.Error(), "actively refused"): // Windows
		e = p.failed(backend.Unreachable, "refuses connections: no server runs there. Start it, or check --base-url")
	case errors.Is(err, syscall.ENOENT) && p.at.socket != "":
		e = p.failed(backend.Unreachable, "does not exist: no server has made this socket. Start it, or check --base-url")
	case errors.As(err, &authority):
		e = p.failed(backend.Unreachable, "has a certificate that this machine does not trust. Add its authority to the system's, or check --base-url")
	case errors.As(err, &hostname), errors.As(err, &invalid):
		e = p.failed(backend.Unreachable, "has a certificate that is not valid for it (%s)", p.secrets.quote(innermost(err).Error()))
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		e = p.failed(backend.Unreachable, "does not speak TLS: try http:// in --base-url")
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		e = p.failed(backend.Unreachable, "cannot be reached: there is no route to it. Check the network")
	case errors.As(err, &netError) && netError.Timeout():
		e = p.failed(backend.TimedOut, "does not answer: the connection timed out. Check the network")
	case errors.Is(err, errLongEvent), errors.Is(err, errLongBody), errors.Is(err, errNoChunk):
		e = p.failed(backend.ServerFailed, "sent what is no reply of this API: %s", p.secrets.quote(err.Error()))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		e = p.failed(backend.Unreachable, "closed the connection before its answer was whole. Its log may say why")
	case noHTTP.MatchString(innermost(err).Error()):
		e = p.failed(backend.Unreachable, "sent what is no HTTP, or broke it off in the headers. Check --base-url; its log may say more")
	default:
		e = p.failed(backend.Unreachable, "closed the connection (%s). Its log may say why", p.secrets.quote(innermost(err).Error()))
	}
	e.Err = innermost(err)
	return e
}

// noHTTP matches Go's errors for a response that is not valid HTTP.
var noHTTP = regexp.MustCompile(`(?i)malformed|content-length|transfer.encoding|response headers exceeded`)

// innermost returns the innermost error that err wraps. The outer ones repeat the request's method
// and address.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// bare removes what may be a credential from an address: the user name, the password and the query.
func bare(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	scheme, rest, ok := strings.Cut(address, "//")
	if !ok {
		return address
	}
	host, path, _ := strings.Cut(rest, "/")
	return scheme + "//" + host[strings.LastIndex(host, "@")+1:] + "/" + path
}
