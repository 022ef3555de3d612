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

// gate says who may ask. A web page that somebody opens can send requests to
// addresses of that person's own machine; what it cannot is choose the headers
// that the browser sets, nor send JSON as such without asking first (CORS).
type gate struct {
	key     string
	hosts   map[string]bool // names by which clients may call the server, in lower case
	origins map[string]bool // of web pages that may ask
}

// newGate checks what the configuration allows.
func newGate(c Config) (*gate, error) {
	g := &gate{key: c.Key, hosts: map[string]bool{}, origins: map[string]bool{}}
	for _, host := range c.Hosts {
		if host == "" || strings.ContainsAny(host, "/*:@ ") {
			return nil, fmt.Errorf("%q is no host name, such as models.example (without a scheme and a port)", host)
		}
		g.hosts[canonicalHost(host)] = true
	}
	for _, origin := range c.Origins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || origin != u.Scheme+"://"+u.Host {
			return nil, fmt.Errorf("%q is no origin of a web page, such as https://app.example:8443 (without a path)", origin)
		}
		g.origins[strings.ToLower(origin)] = true
	}
	return g, nil
}

// refuse returns the reason to refuse a request, or nil. Its messages repeat text of the
// request only in quotes.
func (g *gate) refuse(r *http.Request) *apiError {
	if r.URL.Path == "/health" {
		return nil // tells nothing but that somebody is there, to whoever watches over that
	}
	if !g.isOurs(r.Host) {
		return forbidden("The request calls this server %q, which is none of its names: a web page may have had that name lead here (DNS rebinding). "+
			"Ask it by an address, by localhost, or have it allow the name: --allow-host", r.Host)
	}
	if !g.pageMayAsk(r) {
		return forbidden("The request comes from a web page of another origin, %q, and this server runs what it is sent. "+
			"If the page is yours, have the server allow it: --allow-origin", r.Header.Get("Origin"))
	}
	if r.Method == http.MethodOptions {
		return nil // a browser that asks whether it may ask has no key yet
	}
	if !g.hasKey(r) {
		return &apiError{Code: http.StatusUnauthorized}
	}
	// Any other type of body, or none, a web page may send without asking first.
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

// isOurs reports whether a Host header names this server. An address always
// does: only a name can be made to lead elsewhere than where it did. So does the
// lack of one, which no browser's request has.
func (g *gate) isOurs(header string) bool {
	host := header
	if name, _, err := net.SplitHostPort(header); err == nil {
		host = name
	}
	host = canonicalHost(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	address, _, _ := strings.Cut(host, "%") // of IPv6, without its zone
	return header == "" || net.ParseIP(address) != nil || host == "localhost" || g.hosts[host]
}

func canonicalHost(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

// pageMayAsk reports whether a request is no web page's, the server's own page's,
// or that of one that may ask. Each of the two headers is enough to refuse it:
// old browsers lack Sec-Fetch-Site, and for some requests all lack Origin.
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
	case "", "same-origin", "none": // none: typed into the address bar
		return true
	}
	return false
}

// hasKey compares the key in constant time.
func (g *gate) hasKey(r *http.Request) bool {
	if g.key == "" {
		return true
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	a, b := sha256.Sum256([]byte(strings.TrimSpace(given))), sha256.Sum256([]byte(g.key))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// admit sets the headers that let a browser's page of another, permitted origin read the
// answer. asked marks a request that only asks for this (a preflight).
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
