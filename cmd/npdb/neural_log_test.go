//go:build unix

package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestLibrariesWriteNoLog: what Go's HTTP client has to say of a server goes nowhere,
// for it would stand across the screen, with whatever the server sent in it.
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
		// More than one answer to one question: the client tells its log of that.
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
