//go:build unix

package dap_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	protocol "github.com/google/go-dap"

	"github.com/npdb/npdb/dap"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// opener opens sessions without a model.
func opener(t *testing.T) dap.Opener {
	t.Helper()
	python := pythons.Any(t)
	return func(ctx context.Context, l dap.Target, connect func(*session.Config)) (*dap.Opened, error) {
		cfg := session.Config{
			Options: trace.Options{Python: python, Script: l.Program, Module: l.Module, Args: l.Args, Dir: l.Cwd},
			Start:   session.StartTrace, Mode: session.Real, StateDir: t.TempDir(),
		}
		if l.Recording != "" {
			cfg.File = l.Recording
			cfg.Start = func(_ context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
				rec, at, err := trace.OpenFile(l.Recording, o.Limits)
				if err != nil {
					return nil, at, err
				}
				return rec, at, nil
			}
		}
		ticks := time.NewTicker(10 * time.Millisecond)
		cfg.Ticks = ticks.C
		connect(&cfg)
		s, err := session.Open(ctx, cfg)
		if err != nil {
			ticks.Stop()
			return nil, err
		}
		return &dap.Opened{
			Session: s, Commands: command.New(s, command.Config{}), Backward: true,
			Close: func() error { ticks.Stop(); return s.Close() },
		}, nil
	}
}

// editor is a client of a server.
type editor struct {
	t    *testing.T
	to   io.WriteCloser
	from *bufio.Reader
	wire interface{ SetReadDeadline(t time.Time) error } // below from
	seq  int
	// events are the events that were not looked at.
	events []message
	served chan error
}

// message is a response or an event.
type message struct {
	Type, Event, Command, Message string
	RequestSeq                    int `json:"request_seq"`
	Success                       bool
	Body                          json.RawMessage
}

// connect returns a client of a new server. The server must end when the client closes its input.
func connect(t *testing.T) *editor {
	t.Helper()
	in, to := pipe(t)
	from, out := pipe(t)
	e := &editor{t: t, to: to, from: bufio.NewReader(from), wire: from, served: make(chan error, 1)}
	s := dap.New(dap.Config{Open: opener(t)})
	go func() {
		e.served <- s.Serve(context.Background(), in, out)
		_ = out.Close()
	}()
	t.Cleanup(func() {
		_ = to.Close()
		_ = from.SetReadDeadline(time.Time{})
		_, _ = io.Copy(io.Discard, e.from)
		if err := <-e.served; err != nil {
			t.Errorf("the server failed: %v", err)
		}
	})
	return e
}

// pipe returns a pipe with a buffer, as an editor and a server have between them.
func pipe(t *testing.T) (from, to *os.File) {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = from.Close() })
	return from, to
}

// over returns a client that talks over a connection.
func over(t *testing.T, conn net.Conn) *editor {
	t.Helper()
	t.Cleanup(func() { _ = conn.Close() })
	return &editor{t: t, to: conn, from: bufio.NewReader(conn), wire: conn}
}

// send sends a request and returns its number.
func (e *editor) send(name string, args any) int {
	e.t.Helper()
	e.seq++
	text, err := json.Marshal(map[string]any{"seq": e.seq, "type": "request", "command": name, "arguments": args})
	if err != nil {
		e.t.Fatal(err)
	}
	if err := protocol.WriteBaseMessage(e.to, text); err != nil {
		e.t.Fatal(err)
	}
	return e.seq
}

// next reads a message. It fails the test at the end of the server's output, and if none comes for two minutes.
func (e *editor) next() message {
	e.t.Helper()
	if err := e.wire.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		e.t.Fatal(err)
	}
	text, err := protocol.ReadBaseMessage(e.from)
	if err != nil {
		e.t.Fatalf("no message came: %v", err)
	}
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		e.t.Fatal(err)
	}
	return m
}

// reply waits for the response to a request.
func (e *editor) reply(seq int) message {
	e.t.Helper()
	for {
		m := e.next()
		if m.Type == "response" && m.RequestSeq == seq {
			return m
		}
		e.events = append(e.events, m)
	}
}

// args are the arguments of a request.
type args map[string]any

// ask sends a request, which must succeed, and decodes the body of its response.
func ask[Body any](e *editor, name string, a args) (body Body) {
	e.t.Helper()
	m := e.reply(e.send(name, a))
	if !m.Success {
		e.t.Fatalf("%s %v fails: %s", name, a, m.Message)
	}
	if len(m.Body) > 0 {
		if err := json.Unmarshal(m.Body, &body); err != nil {
			e.t.Fatal(err)
		}
	}
	return body
}

// fails sends a request that must fail with an error that contains want.
func (e *editor) fails(name string, a args, want string) {
	e.t.Helper()
	if m := e.reply(e.send(name, a)); m.Success || !strings.Contains(m.Message, want) {
		e.t.Errorf("%s %v: success %v, %q, want an error with %q", name, a, m.Success, m.Message, want)
	}
}

// event waits for an event and decodes its body.
func event[Body any](e *editor, name string) (body Body) {
	e.t.Helper()
	for k := 0; ; k++ {
		if k == len(e.events) {
			e.events = append(e.events, e.next())
		}
		if m := e.events[k]; m.Type == "event" && m.Event == name {
			e.events = slices.Delete(e.events, k, k+1)
			if len(m.Body) > 0 {
				if err := json.Unmarshal(m.Body, &body); err != nil {
					e.t.Fatal(err)
				}
			}
			return body
		}
	}
}

// prints waits for output that contains a text, perhaps in several events.
func (e *editor) prints(want string) {
	e.t.Helper()
	for all := ""; !strings.Contains(all, want); {
		all += event[protocol.OutputEventBody](e, "output").Output
	}
}

// launch opens a program and answers when breakpoints can be set.
func (e *editor) launch(a args) {
	e.t.Helper()
	ask[any](e, "initialize", args{"adapterID": "npdb", "linesStartAt1": true, "columnsStartAt1": true, "supportsInvalidatedEvent": true, "supportsProgressReporting": true})
	ask[any](e, "launch", a)
	event[any](e, "initialized")
}

// breaks sets the breakpoints of a file.
func (e *editor) breaks(path string, list ...args) []protocol.Breakpoint {
	e.t.Helper()
	if list == nil {
		list = []args{}
	}
	return ask[protocol.SetBreakpointsResponseBody](e, "setBreakpoints", args{"source": args{"path": path}, "breakpoints": list}).Breakpoints
}

// begin ends the configuration and waits for the first stop.
func (e *editor) begin() protocol.StoppedEventBody {
	e.t.Helper()
	return e.goes("configurationDone")
}

// goes makes a move and waits for the stop.
func (e *editor) goes(name string) protocol.StoppedEventBody {
	e.t.Helper()
	ask[any](e, name, args{"threadId": 1})
	return event[protocol.StoppedEventBody](e, "stopped")
}

// frames returns the stack.
func (e *editor) frames() []protocol.StackFrame {
	e.t.Helper()
	return ask[protocol.StackTraceResponseBody](e, "stackTrace", args{"threadId": 1}).StackFrames
}

// at checks the line of the innermost frame.
func (e *editor) at(line int) {
	e.t.Helper()
	if f := e.frames()[0]; f.Line != line {
		e.t.Errorf("%s is at line %d, want %d", f.Name, f.Line, line)
	}
}

// names returns the values of a scope of the innermost frame, and its handle.
func (e *editor) names(scope string) (values map[string]protocol.Variable, handle int) {
	e.t.Helper()
	for _, s := range ask[protocol.ScopesResponseBody](e, "scopes", args{"frameId": e.frames()[0].Id}).Scopes {
		if s.Name == scope {
			handle = s.VariablesReference
		}
	}
	values = map[string]protocol.Variable{}
	for _, v := range e.kids(handle, nil) {
		values[v.Name] = v
	}
	return values, handle
}

// kids returns the variables of a handle.
func (e *editor) kids(handle int, more args) []protocol.Variable {
	e.t.Helper()
	a := args{"variablesReference": handle}
	for name, value := range more {
		a[name] = value
	}
	return ask[protocol.VariablesResponseBody](e, "variables", a).Variables
}

// evaluates checks the value of an expression in a context.
func (e *editor) evaluates(context, expression, want string) {
	e.t.Helper()
	if b := ask[protocol.EvaluateResponseBody](e, "evaluate", args{"expression": expression, "context": context, "frameId": e.frames()[0].Id}); b.Result != want {
		e.t.Errorf("%s is %q, want %q", expression, b.Result, want)
	}
}

// types runs a line of the debug console.
func (e *editor) types(line string) string {
	e.t.Helper()
	return ask[protocol.EvaluateResponseBody](e, "evaluate", args{"expression": line, "context": "repl"}).Result
}

// program writes a program and returns its path.
func program(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// example returns the path of an example program.
func example(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// message encodes text with a header.
func framed(text string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(text), text)
	return b.Bytes()
}
