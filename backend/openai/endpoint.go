package openai

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// endpoint is the address of a server. Only user is secret; the other fields may appear in
// messages.
type endpoint struct {
	base   string // root of the API, without a trailing slash
	root   string // root of the server, where /tokenize is
	place  string // for display
	host   string // without the port
	socket string // path of a Unix socket; "" for TCP
	user   *url.Userinfo
}

func parseEndpoint(raw string) (endpoint, error) {
	if raw == "" {
		return endpoint{}, errors.New("no server is configured: give its address, such as http://127.0.0.1:8000/v1, by --base-url or OPENAI_BASE_URL")
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil: // err contains the address, which may include a password
		return endpoint{}, errors.New("the server's address is no URL: it should look like http://127.0.0.1:8000/v1")
	case u.Scheme == "unix":
		if u.Path == "" {
			return endpoint{}, errors.New("the server's address names no socket: it should look like unix:///run/model.sock")
		}
		return endpoint{base: "http://socket/v1", root: "http://socket", place: "unix://" + u.Path, socket: u.Path}, nil
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return endpoint{}, errors.New("the server's address should begin with http:// or https://, as in http://127.0.0.1:8000/v1")
	case u.RawQuery != "" || u.Fragment != "":
		return endpoint{}, errors.New("the server's address cannot have a query (what follows ? or #): give keys by OPENAI_API_KEY")
	}
	e := endpoint{host: u.Hostname(), user: u.User}
	u.User = nil
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	e.base, e.place = u.String(), u.String()
	u.Path = strings.TrimSuffix(u.Path, "/v1")
	e.root = u.String()
	return e, nil
}

// away reports whether requests leave this machine.
func (e endpoint) away() bool {
	if e.socket != "" {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(e.host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err != nil || !ip.Unmap().IsLoopback()
}

// newTransport returns a transport like http.DefaultTransport. It honours HTTP_PROXY, HTTPS_PROXY
// and NO_PROXY, but uses no proxy for a server on this machine.
func newTransport(e endpoint) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = t.MaxIdleConns // there is one host, and npdb eval sends it many requests at once
	// A proxy that compresses a stream delays it.
	t.DisableCompression = true
	t.OnProxyConnectResponse = tunnelled
	if e.away() {
		return t
	}
	t.Proxy = nil
	d := net.Dialer{Timeout: dialTimeout, Control: hereOnly}
	t.DialContext = d.DialContext
	if e.socket != "" {
		t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return d.DialContext(ctx, "unix", e.socket)
		}
	}
	return t
}

// dialTimeout is that of http.DefaultTransport.
const dialTimeout = 30 * time.Second

// hereOnly refuses connections to other machines. A name for this machine, such as gpu.localhost,
// may be resolved to any address.
func hereOnly(network, address string, _ syscall.RawConn) error {
	if network == "unix" {
		return nil
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil || !to.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("its name is one of this machine, and leads to %s, which is not it", address)
	}
	return nil
}

// refuseRedirect refuses redirects, so that prompts and the key reach only the configured server.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// authorization returns the value of the Authorization header: for the key or, without a key, for
// the user name and password in the address.
func authorization(key string, e endpoint) string {
	switch {
	case key != "":
		return "Bearer " + key
	case e.user != nil:
		password, _ := e.user.Password()
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(e.user.Username()+":"+password))
	}
	return ""
}
