package serve

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// visit is a request of a test. The header "Host" becomes the request's Host.
type visit struct {
	method, path, body string
	headers            map[string]string
}

// ask sends the request, and returns the status, the body and the headers.
func (v visit) ask(t testing.TB, client *http.Client, url string) (status int, text string, h http.Header) {
	t.Helper()
	status, text, h, err := v.read(t, client, url)
	if err != nil {
		t.Fatal(err)
	}
	return status, text, h
}

// read is like ask, for a response that may be incomplete. text is then the part that arrived.
func (v visit) read(t testing.TB, client *http.Client, url string) (status int, text string, h http.Header, broken error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), v.method, url+v.path, strings.NewReader(v.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range v.headers {
		request.Header.Set(name, value)
	}
	if host := request.Header.Get("Host"); host != "" {
		request.Host = host
	}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(said), answer.Header, err
}

// TestGate checks that each sign of a web page is enough for a request to be refused, and that no
// other client is refused.
func TestGate(t *testing.T) {
	server := served(t, func(c *Config) {
		c.Hosts, c.Origins = []string{"Models.example", "gpu-box"}, []string{"https://app.example", "http://localhost:3000"}
	})
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	const json = "application/json"
	asked, _ := prompts(t)
	body := `{"prompt": ` + quoted(asked[0]) + `}`
	for _, c := range []struct {
		name    string
		headers map[string]string
		status  int
		says    string
	}{
		// Ordinary clients.
		{"curl", map[string]string{"Content-Type": json}, 200, ""},
		{"with a character set", map[string]string{"Content-Type": "Application/JSON; charset=utf-8"}, 200, ""},
		{"by localhost", map[string]string{"Content-Type": json, "Host": "localhost:" + port}, 200, ""},
		{"by its full name", map[string]string{"Content-Type": json, "Host": "LOCALHOST."}, 200, ""},
		{"by IPv6", map[string]string{"Content-Type": json, "Host": "[::1]:" + port}, 200, ""},
		{"by IPv6 without a port", map[string]string{"Content-Type": json, "Host": "[::1]"}, 200, ""},
		{"by an address of a network", map[string]string{"Content-Type": json, "Host": "192.168.1.7:8000"}, 200, ""},
		{"by a name that is allowed", map[string]string{"Content-Type": json, "Host": "models.Example:443"}, 200, ""},
		{"by another", map[string]string{"Content-Type": json, "Host": "gpu-box:8000"}, 200, ""},
		{"a page of its own", map[string]string{"Content-Type": json, "Host": "localhost:" + port, "Origin": "http://localhost:" + port, "Sec-Fetch-Site": "same-origin"}, 200, ""},
		{"the address bar", map[string]string{"Content-Type": json, "Sec-Fetch-Site": "none"}, 200, ""},
		{"a page that may ask", map[string]string{"Content-Type": json, "Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}, 200, ""},
		{"one of another port", map[string]string{"Content-Type": json, "Origin": "http://localhost:3000", "Sec-Fetch-Site": "same-site"}, 200, ""},
		// Each of the four signs of a web page alone.
		{"plain text", map[string]string{"Content-Type": "text/plain"}, 415, "application/json"},
		{"a foreign origin", map[string]string{"Content-Type": json, "Origin": "https://evil.example"}, 403, "--allow-origin"},
		{"another site", map[string]string{"Content-Type": json, "Sec-Fetch-Site": "cross-site"}, 403, "web page"},
		{"a foreign host", map[string]string{"Content-Type": json, "Host": "evil.example:" + port}, 403, "--allow-host"},
		// Variants of these signs.
		{"no type", map[string]string{}, 415, "application/json"},
		{"a form", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, 415, "application/json"},
		{"JSON in the name alone", map[string]string{"Content-Type": "text/plain; x=application/json"}, 415, "application/json"},
		{"two types", map[string]string{"Content-Type": "text/plain, application/json"}, 415, "application/json"},
		{"a sandboxed frame", map[string]string{"Content-Type": json, "Origin": "null"}, 403, "--allow-origin"},
		{"another port", map[string]string{"Content-Type": json, "Origin": "http://127.0.0.1:1"}, 403, "--allow-origin"},
		{"a part of the site", map[string]string{"Content-Type": json, "Sec-Fetch-Site": "same-site"}, 403, "web page"},
		{"an origin that only begins so", map[string]string{"Content-Type": json, "Origin": "https://app.example.evil.example"}, 403, "--allow-origin"},
		{"a name that only ends so", map[string]string{"Content-Type": json, "Host": "evil-localhost"}, 403, "--allow-host"},
		{"an address in a name", map[string]string{"Content-Type": json, "Host": "127.0.0.1.evil.example"}, 403, "--allow-host"},
		{"its own origin by a foreign name", map[string]string{"Content-Type": json, "Host": "evil.example", "Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"}, 403, "--allow-host"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text, h := visit{"POST", "/v1/completions", body, c.headers}.ask(t, server.Client(), server.URL)
			if status != c.status {
				t.Fatalf("status %d, want %d: %s", status, c.status, text)
			}
			if c.status == http.StatusOK {
				return
			}
			if e := envelope(t, text); e.Code != c.status || !strings.Contains(e.Message, c.says) {
				t.Errorf("it says %q, want a word of %q", e.Message, c.says)
			}
			if h.Get("Access-Control-Allow-Origin") != "" {
				t.Error("the page may read it")
			}
		})
	}
	// Reading is refused too, except for /health.
	for path, status := range map[string]int{"/v1/models": 403, "/version": 403, "/nowhere": 403, "/health": 200} {
		got, text, _ := visit{"GET", path, "", map[string]string{"Sec-Fetch-Site": "cross-site"}}.ask(t, server.Client(), server.URL)
		if got != status {
			t.Errorf("%s: status %d, want %d: %s", path, got, status, text)
		}
	}
}

func quoted(s string) string { return string(marshal(s)) }

func envelope(t *testing.T, text string) *apiError {
	t.Helper()
	var said struct{ Error *apiError }
	if err := json.Unmarshal([]byte(text), &said); err != nil || said.Error == nil {
		t.Fatalf("%s is no error", text)
	}
	return said.Error
}

// TestPreflight checks the requests that a browser makes before it sends JSON to another
// origin.
func TestPreflight(t *testing.T) {
	server := served(t, func(c *Config) { c.Key, c.Origins = "sesame", []string{"https://app.example"} })
	ask := func(origin string) (int, http.Header) {
		status, _, h := visit{"OPTIONS", "/v1/completions", "", map[string]string{
			"Origin": origin, "Sec-Fetch-Site": "cross-site",
			"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type",
		}}.ask(t, server.Client(), server.URL)
		return status, h
	}
	if status, h := ask("https://app.example"); status != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "https://app.example" ||
		h.Get("Access-Control-Allow-Headers") != "authorization,content-type" || h.Get("Vary") != "Origin" {
		t.Errorf("status %d, %v", status, h)
	}
	if status, h := ask("https://evil.example"); status != http.StatusForbidden || h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("status %d, %v", status, h)
	}
	status, _, h := visit{"GET", "/v1/models", "", map[string]string{"Origin": "https://app.example", "Authorization": "bearer sesame"}}.ask(t, server.Client(), server.URL)
	if status != http.StatusOK || h.Get("Access-Control-Allow-Origin") != "https://app.example" {
		t.Errorf("status %d, %v", status, h)
	}
}

// TestKey checks that every path except /health needs the key, if one is set.
func TestKey(t *testing.T) {
	server := served(t, func(c *Config) { c.Key = "sesame" })
	const body = `{"prompt": "x", "tokens": [1], "max_tokens": 1}`
	for _, path := range []string{"/v1/completions", "/tokenize", "/detokenize", "/v1/models", "/version", "/nowhere", "/health"} {
		for _, given := range []string{"", "Bearer", "Bearer ", "Bearer sesam", "Bearer sesames", "Basic sesame", "sesame", "Bearer sesame"} {
			method := "POST"
			if path == "/v1/models" || path == "/version" || path == "/health" {
				method = "GET"
			}
			headers := map[string]string{"Content-Type": "application/json"}
			if given != "" {
				headers["Authorization"] = given
			}
			status, text, _ := visit{method, path, body, headers}.ask(t, server.Client(), server.URL)
			if open := path == "/health" || given == "Bearer sesame"; open == (status == http.StatusUnauthorized) {
				t.Errorf("%s with %q: status %d, %s", path, given, status, text)
			}
		}
	}
}

func TestGateIsChecked(t *testing.T) {
	for _, c := range []Config{
		{Hosts: []string{"https://models.example"}},
		{Hosts: []string{"models.example:80"}},
		{Hosts: []string{""}},
		{Hosts: []string{"*"}},
		{Origins: []string{"*"}},
		{Origins: []string{"app.example"}},
		{Origins: []string{"https://app.example/"}},
		{Origins: []string{"https://me@app.example"}},
		{Origins: []string{"ftp://app.example"}},
	} {
		c.Models = []Model{{Name: "oracle", Predictor: newFake(t)}}
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), "such as") {
			t.Errorf("%v %v: %v", c.Hosts, c.Origins, err)
		}
	}
}
