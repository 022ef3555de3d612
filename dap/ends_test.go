//go:build unix

package dap_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"testing"

	protocol "github.com/google/go-dap"

	"github.com/npdb/npdb/dap"
)

// TestNoDebug checks that a program without debugging has no stops.
func TestNoDebug(t *testing.T) {
	t.Parallel()
	path := program(t, "plain.py", "print('x')", "1 / 0")
	e := connect(t)
	e.launch(args{"program": path, "noDebug": true, "stopOnEntry": true, "stayAtEnd": true})
	if set := e.breaks(path, args{"line": 1}); set[0].Verified {
		t.Errorf("the breakpoint is %+v", set[0])
	}
	ask[any](e, "configurationDone", nil)
	if x := event[protocol.ExitedEventBody](e, "exited"); x.ExitCode != 1 {
		t.Errorf("the exit code is %d", x.ExitCode)
	}
	event[any](e, "terminated")
}

// TestZeroLines checks a client that counts lines and columns from 0.
func TestZeroLines(t *testing.T) {
	t.Parallel()
	bank := example(t, "bank.py")
	e := connect(t)
	ask[any](e, "initialize", args{"adapterID": "npdb", "linesStartAt1": false, "columnsStartAt1": false})
	ask[any](e, "launch", args{"program": bank})
	if set := e.breaks(bank, args{"line": 47}); set[0].Line != 47 {
		t.Errorf("the breakpoint is %+v", set[0])
	}
	e.begin()
	if f := e.frames()[0]; f.Line != 47 || f.Column != 0 || f.Name != "audit" {
		t.Errorf("the frame is %+v", f)
	}
}

// TestDisconnect disconnects, or closes the connection, after each request of a session. Its program must end.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	path := program(t, "runs.py", "n = 0", "while n >= 0:", "    n += 1")
	steps := []func(e *editor){
		func(e *editor) { e.send("initialize", args{"adapterID": "npdb", "linesStartAt1": true}) },
		func(e *editor) { e.send("launch", args{"program": path, "stopOnEntry": true}) },
		func(e *editor) { event[any](e, "initialized") },
		func(e *editor) { e.send("configurationDone", nil) },
		func(e *editor) { event[any](e, "stopped") },
		func(e *editor) { e.send("next", args{"threadId": 1}) },
		func(e *editor) {
			e.send("evaluate", args{"expression": "[i for i in range(10**9)]", "context": "repl"})
		},
		func(e *editor) { e.send("continue", args{"threadId": 1}) },
	}
	for n := range len(steps) + 1 {
		for _, polite := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d %v", n, polite), func(t *testing.T) {
				e := connect(t)
				for _, step := range steps[:n] {
					step(e)
				}
				if polite {
					ask[any](e, "disconnect", args{"terminateDebuggee": false})
				}
			})
		}
	}
}

// TestListen checks several clients of one address, one of which is no client.
func TestListen(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, done := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- dap.New(dap.Config{Open: opener(t)}).Listen(ctx, l) }()
	dial := func() *editor {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		return over(t, conn)
	}
	page := dial()
	body := `{"seq":1,"type":"request","command":"launch","arguments":{"program":"x.py"}}`
	if _, err := fmt.Fprintf(page.to, "POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		t.Fatal(err)
	}
	if rest, _ := io.ReadAll(page.from); len(rest) > 0 {
		t.Errorf("an HTTP request is answered: %q", rest)
	}
	bank := example(t, "bank.py")
	one, two := dial(), dial()
	for _, e := range []*editor{one, two} {
		e.launch(args{"program": bank})
		e.breaks(bank, args{"line": 48})
		e.begin()
	}
	ask[any](one, "disconnect", nil)
	two.at(48)
	done()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
