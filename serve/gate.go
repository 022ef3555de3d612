package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// gate decides which requests are allowed. It protects against web pages: a page that the user
// opens can send requests to addresses of the user's own machine. But it cannot choose the headers
// that the browser sets, and it cannot send JSON without a preflight request (CORS).
type gate struct {
	key     string
	hosts   map[string]bool // names by which clients may address the server, in lower case
	origins map[string]bool // origins of web pages that may send requests, in lower case
}

// newGate returns the gate for a configuration, or an error if its hosts or origins are
// invalid.
func newGate(c Config) (*gate, error) {
	g := &gate{key: c.Key, hosts: map[string]bool{}, origins: map[string]bool{}}
	for _, host := range c.Hosts {
		if host == "" || strings.ContainsAny(host, "/*:@ ") {
			return nil, fmt.Errorf("%q is not a host name, such as models.example (without a scheme and a port)", host)
		}
		g.hosts[canonicalHost(host)] = true
	}
	for _, origin := range c.Origins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || origin != u.Scheme+"://"+u.Host {
			return nil, fmt.Errorf("%q is not the origin of a web page, such as https://app.example:8443 (without a path)", origin)
		}
		g.origins[strings.ToLower(origin)] = true
	}
	return g, nil
}

// refuse returns the error with which a request is refused, or nil if it is allowed. Text of the
// request appears in the message only in quotes.
func (g *gate) refuse(r *http.Request) *apiError {
	if r.URL.Path == "/health" {
		return nil // /health only shows monitoring that the server runs
	}
	if !g.isOurs(r.Host) {
		return forbidden("The request addresses this server as %q, which is not one of its names: a web page may have redirected that name to this machine (DNS rebinding). "+
			"Use an IP address or localhost, or start the server with --allow-host for this name", r.Host)
	}
	if !g.pageMayAsk(r) {
		return forbidden("The request comes from a web page of another origin, %q, and this server runs the programs that it receives. "+
			"If the page is yours, start the server with --allow-origin for it", r.Header.Get("Origin"))
	}
	if r.Method == http.MethodOptions {
		return nil // a preflight request has no key yet
	}
	if !g.hasKey(r) {
		return &apiError{Code: http.StatusUnauthorized}
	}
	// A web page can send any other content type, or none, without a preflight request.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.Method == http.MethodPost && (err != nil || kind != "application/json") {
		e := statusError(http.StatusUnsupportedMediaType)
		e.Message = "Unsupported Media Type: only 'application/json' is allowed. Give the header Content-Type: application/json"
		return e
	}
	return nil
}

func forbidden(format string, args ...any) *apiError {
	e := statusError(http.StatusForbidden)
	e.Message = fmt.Sprintf(format, args...)
	return e
}

// isOurs reports whether a Host header names this server. An IP address always does, because only a
// name can be redirected to another address (DNS rebinding). A missing header does too, because
// browsers always send one.
func (g *gate) isOurs(header string) bool {
	host := header
	if name, _, err := net.SplitHostPort(header); err == nil {
		host = name
	}
	host = canonicalHost(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	address, _, _ := strings.Cut(host, "%") // remove the zone of an IPv6 address
	return header == "" || net.ParseIP(address) != nil || host == "localhost" || g.hosts[host]
}

func canonicalHost(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

// pageMayAsk reports whether a request may be answered as far as web pages are concerned: it comes
// from no web page, from the server's own page, or from an allowed one. Either of the headers
// Origin and Sec-Fetch-Site is enough to return false: old browsers do not send Sec-Fetch-Site, and
// all browsers omit Origin for some requests.
func (g *gate) pageMayAsk(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if g.origins[strings.ToLower(origin)] {
		return true
	}
	if len(r.Header["Origin"]) > 0 {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none": // none: the user typed the address
		return true
	}
	return false
}

// hasKey reports whether a request contains the key. It compares in constant time, so that the time
// does not reveal part of the key.
func (g *gate) hasKey(r *http.Request) bool {
	if g.key == "" {
		return true
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	a, b := sha256.Sum256([]byte(strings.TrimSpace(given))), sha256.Sum256([]byte(g.key))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// admit sets the headers that allow a page of another, allowed origin to read the response. asked
// reports whether the request is a preflight request, to which admit has already responded.
func (g *gate) admit(w http.ResponseWriter, r *http.Request) (asked bool) {
	origin := r.Header.Get("Origin")
	if !g.origins[strings.ToLower(origin)] {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", corruptedHeader+", "+reasonHeader+", Retry-After")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	if wanted := r.Header.Get("Access-Control-Request-Headers"); wanted != "" {
		h.Set("Access-Control-Allow-Headers", wanted)
	}
	w.WriteHeader(http.StatusNoContent)
	return true
}
