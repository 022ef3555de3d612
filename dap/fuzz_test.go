//go:build unix

package dap_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/npdb/npdb/dap"
	"github.com/npdb/npdb/session"
)

// FuzzRequests checks that whatever a client sends, the server answers or skips it, and ends with its input.
func FuzzRequests(f *testing.F) {
	for _, text := range []string{
		`{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"npdb"}}`,
		`{"seq":2,"type":"request","command":"launch","arguments":{"program":"x.py"}}`,
		`{"seq":3,"type":"request","command":"evaluate","arguments":{"expression":"x","context":"repl"}}`,
		`{"seq":4,"type":"request","command":"cancel","arguments":{"requestId":3}}`,
		`{"seq":5,"type":"request","command":"pause"}`,
		`{"seq":6,"type":"request","command":"disconnect"}`,
		`{"seq":-1,"type":"request","command":"threads","arguments":7}`,
		`{"seq":7,"type":"request","command":"setBreakpoints","arguments":{"source":{"path":"x"},"breakpoints":[{}]}}`,
	} {
		f.Add(framed(text))
		f.Add(append(framed(text), framed(`{"seq":9,"type":"request","command":"threads"}`)...))
	}
	f.Add([]byte("Content-Length: 99999999999999999999\r\n\r\n"))
	f.Add([]byte("Content-Length: 17000000\r\n\r\n{}"))
	f.Add([]byte("Content-Length: -1\r\n\r\n"))
	f.Add([]byte("Content-Type: x\r\nContent-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull"))
	s := dap.New(dap.Config{Open: func(context.Context, dap.Target, func(*session.Config)) (*dap.Opened, error) {
		return nil, errors.New("no program")
	}})
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := s.Serve(t.Context(), bytes.NewReader(text), io.Discard); err != nil {
			t.Error(err)
		}
	})
}
