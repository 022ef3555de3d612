//go:build unix

package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestLibrariesWriteNoLog checks that log messages of Go's HTTP client are discarded. They
// would appear across the screen, with text from the server.
func TestLibrariesWriteNoLog(t *testing.T) {
	m := newModel(t, true)
	m.set(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			right(w, r)
			return
		}
		conn, out, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		const list = `{"data":[{"id":"nd"}]}`
		// Two responses to one request make the client log a message.
		fmt.Fprintf(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%sunasked \x1b[31m"+secretKey, len(list), list)
		_ = out.Flush()
		_ = conn.Close()
	})
	s := startNeural(t, []string{"NPDB_BASE_URL=http://" + m.address + "/v1", "OPENAI_API_KEY=" + secretKey}, "--plain")
	for range 3 {
		if got := s.plain(t, "n"); !strings.Contains(got, "y = 2") {
			t.Errorf("the answer is %q", got)
		}
	}
	s.quit(t)
	if got := s.stderr.String(); strings.Contains(got, "nsolicited") || strings.Contains(got, "unasked") {
		t.Errorf("on standard error: %q", got)
	}
}
