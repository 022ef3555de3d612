package openai

import (
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
)

func TestEndpoint(t *testing.T) {
	tests := []struct {
		raw, base, root string
		away            bool
	}{
		{"http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1", "http://127.0.0.1:8000", false},
		{"http://127.8.9.1:8000/v1/", "http://127.8.9.1:8000/v1", "http://127.8.9.1:8000", false},
		{"http://[::1]:8000/v1", "http://[::1]:8000/v1", "http://[::1]:8000", false},
		{"http://[::ffff:127.0.0.1]/v1", "http://[::ffff:127.0.0.1]/v1", "http://[::ffff:127.0.0.1]", false},
		{"http://LocalHost.:8000/v1", "http://LocalHost.:8000/v1", "http://LocalHost.:8000", false},
		{"http://gpu.localhost/v1", "http://gpu.localhost/v1", "http://gpu.localhost", false},
		{"http://localhost.example.org/v1", "http://localhost.example.org/v1", "http://localhost.example.org", true},
		{"http://192.168.0.7/v1", "http://192.168.0.7/v1", "http://192.168.0.7", true},
		{"http://0.0.0.0/v1", "http://0.0.0.0/v1", "http://0.0.0.0", true},
		{"https://ann:pw@api.example.org/llm/v1", "https://api.example.org/llm/v1", "https://api.example.org/llm", true},
		{"http://h/api", "http://h/api", "http://h/api", true},
		{" http://127.0.0.1/v1 ", "http://127.0.0.1/v1", "http://127.0.0.1", false},
		{"unix:///run/m.sock", "http://socket/v1", "http://socket", false},
	}
	for _, tt := range tests {
		e, err := parseEndpoint(tt.raw)
		if err != nil {
			t.Errorf("%s: %v", tt.raw, err)
			continue
		}
		if e.base != tt.base || e.root != tt.root || e.away() != tt.away || strings.Contains(e.place, "pw") {
			t.Errorf("%s: %+v, away %v", tt.raw, e, e.away())
		}
	}
}

// TestNewRefuses checks that New rejects invalid configurations, and that the error contains no secret.
func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name   string
		config Config
		words  string
	}{
		{"nothing", Config{}, "--base-url"},
		{"no scheme", Config{BaseURL: "127.0.0.1:8000"}, "http://127.0.0.1:8000/v1"},
		{"only a host", Config{BaseURL: "localhost"}, "http://"},
		{"no URL", Config{BaseURL: "http://u:secret@[::1"}, "no URL"},
		{"query", Config{BaseURL: "https://h/v1?key=secret"}, "OPENAI_API_KEY"},
		{"socket without a path", Config{BaseURL: "unix://"}, "socket"},
		{"prompt", Config{BaseURL: "http://h", Prompt: "words"}, "words"},
		{"negative", Config{BaseURL: "http://h", MaxTokens: -1}, "negative"},
		{"key", Config{BaseURL: "http://h", Key: "secret\nX: y"}, "OPENAI_API_KEY"},
		{"header", Config{BaseURL: "http://h", Headers: map[string]string{"X-Key": "secret\r\n"}}, "X-Key"},
		{"extra", Config{BaseURL: "http://h", Extra: map[string]any{"stream": false}}, "stream"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(tt.config)
			if err == nil || !strings.Contains(err.Error(), tt.words) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestUserInAddress checks that a user name in the address is sent in a header, and appears in no
// message.
func TestUserInAddress(t *testing.T) {
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		http.Error(w, `{"error":{"message":"not `+user+` with `+password+`"}}`, http.StatusForbidden)
	})
	p := predictor(t, strings.Replace(s.URL, "//", "//ann:sesame@", 1)+"/v1", nil)
	_, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil)
	e := fails(t, err, backend.Unauthorized, "not [secret] with [secret]")
	if strings.Contains(e.Message+p.Model().Place, "ann") || strings.Contains(e.Message, "sesame") {
		t.Error(e.Message)
	}
}

// TestNoProxyForLoopback checks that no proxy is used for this machine, regardless of the environment.
func TestNoProxyForLoopback(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the proxy was asked")
	}))
	t.Cleanup(proxy.Close)
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	p := predictor(t, server(t, streams(whole())).URL+"/v1", nil)
	if _, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil); err != nil {
		t.Error(err)
	}
	if away := newTransport(endpoint{host: "api.example.org"}); away.Proxy == nil {
		t.Error("another host has no proxy")
	}
}

func TestUnixSocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("sockets have other paths")
	}
	path := filepath.Join(t.TempDir(), "m.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: streams(whole())}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	p := predictor(t, "unix://"+path, func(c *Config) { c.Model = "nd" })
	if _, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil); err != nil {
		t.Error(err)
	}
	if m := p.Model(); m.Away || m.Place != "unix://"+path {
		t.Errorf("%+v", m)
	}
}

// TestOffline checks that with Offline, New rejects a server on another machine, and accepts one on this
// machine.
func TestOffline(t *testing.T) {
	for _, url := range []string{"https://api.example.org/v1", "http://192.168.0.7/v1", "http://localhost.example.org/v1"} {
		_, err := New(Config{BaseURL: url, Offline: true})
		fails(t, err, backend.Withheld, "not at this machine, and npdb is offline (--offline")
	}
	p := predictor(t, server(t, streams(whole())).URL+"/v1", func(c *Config) { c.Offline = true })
	if _, err := p.Predict(t.Context(), backend.Question{At: node(t), Action: stepOver}, nil); err != nil {
		t.Error(err)
	}
}

// TestHereOnly checks that a connection to another machine is refused, even if a name of this machine
// resolves to it.
func TestHereOnly(t *testing.T) {
	for address, here := range map[string]bool{
		"127.0.0.1:80": true, "127.9.9.9:80": true, "[::1]:80": true, "[::ffff:127.0.0.1]:80": true,
		"192.168.0.7:80": false, "[2001:db8::1]:80": false, "0.0.0.0:80": false, "": false,
	} {
		if err := hereOnly("tcp", address, nil); (err == nil) != here {
			t.Errorf("%s: %v", address, err)
		}
	}
	if d := newTransport(endpoint{host: "gpu.localhost"}); d.Proxy != nil {
		t.Error("a name of this machine has a proxy")
	}
	_, err := newTransport(endpoint{host: "gpu.localhost"}).DialContext(t.Context(), "tcp", "192.0.2.1:9")
	if err == nil || !strings.Contains(err.Error(), "its name is one of this machine, and leads to 192.0.2.1:9") {
		t.Errorf("%v", err)
	}
}
