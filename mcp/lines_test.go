package mcp_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npdb/npdb/mcp"
)

// TestMessages checks that lines which are no messages are passed over and reported.
func TestMessages(t *testing.T) {
	const call, note = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	for _, c := range []struct {
		name, in, want string
		skipped        int
	}{
		{"messages", call + "\n" + note + "\n", call + "\n" + note + "\n", 0},
		{"the last line has no end", call, call + "\n", 0},
		{"lines end at CR LF", call + "\r\n\r\n" + note + "\r\n", call + "\n" + note + "\n", 0},
		{"text", "hello\n" + call + "\n", call + "\n", 1},
		{"other JSON", "null\n[]\n7\n{}\n" + call + "\n", call + "\n", 4},
		{"another version", strings.Replace(call, "2.0", "1.0", 1) + "\n" + call + "\n", call + "\n", 1},
		{"the id is an object", `{"jsonrpc":"2.0","id":{},"method":"x"}` + "\n" + call + "\n", call + "\n", 1},
		{"half a message", call[:20] + "\n" + call + "\n", call + "\n", 1},
		{"nothing", "", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			skipped := 0
			got, err := io.ReadAll(iotest.OneByteReader(mcp.Messages(strings.NewReader(c.in), func(error) { skipped++ })))
			if err != nil || string(got) != c.want || skipped != c.skipped {
				t.Errorf("%q, %d skipped, %v", got, skipped, err)
			}
		})
	}
}
