package openai

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

// TestProxies checks that a refusal of a proxy is reported as the proxy's, and that a server whose name
// contains "proxy" is not taken for one.
func TestProxies(t *testing.T) {
	const password = "of-the-proxy-99"
	status := http.StatusProxyAuthRequired
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(proxy.Close)
	at := strings.Replace(proxy.URL, "http://", "http://npdb:"+password+"@", 1)
	for _, tt := range []struct {
		name, base, proxy string
		status            int
		kind              backend.ErrorKind
		words             string
	}{
		{"a password, before TLS", "https://model.test/v1", at, 407, backend.Unauthorized, "wants a name and a password (HTTP 407)"},
		{"a password", "http://model.test/v1", at, 407, backend.Unauthorized, "wants a name and a password (HTTP 407)"},
		{"a failure, before TLS", "https://model.test/v1", at, 502, backend.Unreachable, "the proxy that HTTPS_PROXY names answers HTTP 502"},
		{"nobody there", "https://model.test/v1", "http://npdb:" + password + "@127.0.0.1:1", 0, backend.Unreachable, "cannot be reached through the proxy"},
		{"called a proxy", "http://127.0.0.1:1/proxy/v1", "", 0, backend.Unreachable, "no server runs there"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status = tt.status
			p := predictor(t, tt.base, func(c *Config) { c.Retries, c.Model = -1, "nd" })
			if tt.proxy != "" {
				u, err := url.Parse(tt.proxy)
				if err != nil {
					t.Fatal(err)
				}
				p.transport.Proxy = http.ProxyURL(u)
			}
			_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
			if e := fails(t, err, tt.kind, tt.words); strings.Contains(e.Message, password) || e.Status != tt.status {
				t.Errorf("status %d: %s", e.Status, e.Message)
			}
		})
	}
}
