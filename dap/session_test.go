//go:build unix

package dap_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"
)

// TestConsole checks commands, expressions and completions in the debug console.
func TestConsole(t *testing.T) {
	t.Parallel()
	e := connect(t)
	bank := example(t, "bank.py")
	e.launch(args{"program": bank, "stopOnEntry": true})
	if s := e.begin(); s.Reason != "entry" {
		t.Errorf("stopped: %+v", s)
	}
	if got := e.types("1 + 1"); got != "2" {
		t.Errorf("1 + 1 is %q", got)
	}
	e.types("b transfer")
	e.types("c")
	if s := event[protocol.StoppedEventBody](e, "stopped"); s.Reason != "breakpoint" {
		t.Errorf("stopped: %+v", s)
	}
	e.types("rs")
	event[any](e, "stopped")
	e.types("goto 100%")
	event[any](e, "stopped")
	if got := e.types("history amount"); !strings.Contains(got, "30") {
		t.Errorf("the history is %q", got)
	}
	if got := e.types("up"); !strings.Contains(got, "main") {
		t.Errorf("up shows %q", got)
	}
	if got := e.types("p refused"); got != "0" {
		t.Errorf("in the frame above refused is %q", got)
	}
	e.fails("evaluate", args{"expression": "nope + 1", "context": "repl"}, "NameError")
	e.fails("evaluate", args{"expression": "transfer(1, 2, 3, 4)", "context": "hover"}, "none of the program's code")
	for text, want := range map[string]string{"rev": "reverse-continue", "p bala": "balances", "🐍 = bala": "balances"} {
		units := len([]rune(text)) + strings.Count(text, "🐍")
		items := ask[protocol.CompletionsResponseBody](e, "completions", args{"text": text, "column": units + 1}).Targets
		at := slices.IndexFunc(items, func(i protocol.CompletionItem) bool { return i.Label == want })
		if at < 0 || items[at].Start+items[at].Length != units+1 {
			t.Errorf("%q completes to %+v", text, items)
		}
	}
	// An edit in the past asks before the program runs again.
	e.types("rewind")
	event[any](e, "stopped")
	e.goes("next")
	if got := e.types("!OPENING = {}"); !strings.Contains(got, "again") {
		t.Errorf("the question is %q", got)
	}
	e.evaluates("watch", "1 + 2", "3")
	e.types("y")
	e.evaluates("watch", "OPENING", "{}")
	ask[any](e, "evaluate", args{"expression": "quit", "context": "repl"})
	event[any](e, "terminated")
}

// TestInput checks that a line of the debug console is the program's input, and that a pause ends the wait.
func TestInput(t *testing.T) {
	t.Parallel()
	path := program(t, "asks.py", "name = input('name? ')", "print('hello', name)", "import sys", "print(len(sys.stdin.read()))")
	e := connect(t)
	e.launch(args{"program": path, "console": "integratedTerminal"})
	e.prints("npdb has only internalConsole")
	ask[any](e, "configurationDone", nil)
	e.prints("name? ")
	e.prints("waits for a line")
	e.fails("stackTrace", args{"threadId": 1}, "pause it first")
	if n := len(ask[protocol.ThreadsResponseBody](e, "threads", nil).Threads); n != 1 {
		t.Errorf("there are %d threads", n)
	}
	e.types("ann")
	e.prints("hello ann")
	e.prints("waits for a line")
	e.types(":eof")
	e.prints("0")
	event[any](e, "terminated")
}

// TestChangesWhileRunning checks that breakpoints can be set while a program waits for input: at once during
// continue, and after the end of a step.
func TestChangesWhileRunning(t *testing.T) {
	t.Parallel()
	path := program(t, "asks.py", "a = input()", "b = input()", "c = 1")
	e := connect(t)
	e.launch(args{"program": path, "stopOnEntry": true})
	e.begin()
	ask[any](e, "next", args{"threadId": 1})
	e.prints("waits for a line")
	e.fails("makeCoffee", nil, "npdb has no request")
	set := e.send("setBreakpoints", args{"source": args{"path": path}, "breakpoints": []args{{"line": 2}}})
	e.types("x")
	if m := e.reply(set); !m.Success {
		t.Errorf("breakpoints during a step: %s", m.Message)
	}
	if s := event[protocol.StoppedEventBody](e, "stopped"); s.Reason != "step" {
		t.Errorf("stopped: %+v", s)
	}
	e.at(2)
	ask[any](e, "continue", args{"threadId": 1})
	e.prints("waits for a line")
	e.breaks(path, args{"line": 3})
	e.prints("waits for a line")
	e.types("y")
	event[any](e, "stopped")
	e.at(3)
	e.evaluates("watch", "a + b", "'xy'")
}

// TestLibraryFrames checks frames that an exception has left, in a library.
func TestLibraryFrames(t *testing.T) {
	t.Parallel()
	path := program(t, "reads.py", "import json", "def f(text):", "    return json.loads(text)", "f('{')")
	e := connect(t)
	e.launch(args{"program": path})
	if s := e.begin(); s.Reason != "exception" {
		t.Errorf("stopped: %+v", s)
	}
	frames := e.frames()
	if len(frames) < 4 || frames[0].Name != "raw_decode" || frames[0].CanRestart || frames[len(frames)-1].Name != "<module>" {
		t.Fatalf("the frames are %+v", frames)
	}
	e.evaluates("watch", "idx", "0")
	e.fails("restartFrame", args{"frameId": frames[0].Id}, "nothing is recorded")
	e.fails("evaluate", args{"expression": "idx + 1", "context": "watch", "frameId": frames[0].Id}, "none of the program's code")
	e.fails("dataBreakpointInfo", args{"variablesReference": 7, "name": "x"}, "no variable 7")
	info := ask[protocol.DataBreakpointInfoResponseBody](e, "dataBreakpointInfo", args{"frameId": frames[0].Id, "name": "idx"})
	set := ask[protocol.SetDataBreakpointsResponseBody](e, "setDataBreakpoints", args{"breakpoints": []args{{"dataId": info.DataId}}}).Breakpoints
	if set[0].Verified || set[0].Message == "" {
		t.Errorf("a watchpoint in a library is %+v", set[0])
	}
}

// TestWhileRunning checks a pause, and breakpoints that are set while the program runs.
func TestWhileRunning(t *testing.T) {
	t.Parallel()
	path := program(t, "runs.py", "n = 0", "while n >= 0:", "    n += 1", "    m = n", "print('end')")
	e := connect(t)
	e.launch(args{"program": path})
	ask[any](e, "configurationDone", nil)
	e.fails("next", args{"threadId": 1}, "running")
	if set := e.breaks(path, args{"line": 4, "condition": "n > 5"}); !set[0].Verified {
		t.Errorf("set to %+v", set)
	}
	if s := event[protocol.StoppedEventBody](e, "stopped"); s.Reason != "breakpoint" {
		t.Errorf("stopped: %+v", s)
	}
	e.breaks(path)
	ask[any](e, "continue", args{"threadId": 1})
	ask[any](e, "pause", args{"threadId": 1})
	if s := event[protocol.StoppedEventBody](e, "stopped"); s.Reason != "pause" {
		t.Errorf("stopped: %+v", s)
	}
	moving := e.send("continue", args{"threadId": 1})
	e.reply(moving)
	ask[any](e, "cancel", args{"requestId": moving})
	if s := event[protocol.StoppedEventBody](e, "stopped"); s.Reason != "pause" {
		t.Errorf("stopped: %+v", s)
	}
	ask[any](e, "continue", args{"threadId": 1})
	if id := event[protocol.ProgressStartEventBody](e, "progressStart").ProgressId; id != "move-1" {
		t.Errorf("the progress is %q", id)
	}
	ask[any](e, "cancel", args{"progressId": "move-1"})
	event[any](e, "progressEnd")
	event[any](e, "stopped")
	ask[any](e, "continue", args{"threadId": 1})
	ask[any](e, "terminate", nil)
	event[any](e, "terminated")
	ask[any](e, "disconnect", nil)
}

// TestRestart checks restart, restartFrame, goto, and the end at which the session stays.
func TestRestart(t *testing.T) {
	t.Parallel()
	bank := example(t, "bank.py")
	e := connect(t)
	e.launch(args{"program": bank, "stayAtEnd": true})
	e.breaks(bank, args{"line": 48})
	e.begin()
	if s := e.goes("continue"); s.Reason != "exit" {
		t.Errorf("stopped: %+v", s)
	}
	event[any](e, "exited")
	if f := e.frames(); len(f) != 1 || f[0].PresentationHint != "label" {
		t.Errorf("the stack at the end is %+v", f)
	}
	if s := ask[protocol.ScopesResponseBody](e, "scopes", args{"frameId": e.frames()[0].Id}).Scopes; len(s) != 0 {
		t.Errorf("the scopes at the end are %+v", s)
	}
	e.goes("reverseContinue")
	e.at(48)
	ask[any](e, "restartFrame", args{"frameId": e.frames()[1].Id})
	if s := event[protocol.StoppedEventBody](e, "stopped"); s.Reason != "restart" {
		t.Errorf("stopped: %+v", s)
	}
	e.at(55)
	e.fails("goto", args{"threadId": 1, "targetId": 57}, "run again")
	ask[any](e, "restart", nil)
	event[any](e, "stopped")
	e.at(48)
	targets := ask[protocol.GotoTargetsResponseBody](e, "gotoTargets", args{"source": args{"path": bank}, "line": 51}).Targets
	ask[any](e, "goto", args{"threadId": 1, "targetId": targets[0].Id})
	if s := event[protocol.StoppedEventBody](e, "stopped"); s.Reason != "goto" {
		t.Errorf("stopped: %+v", s)
	}
	e.at(51)
	e.fails("gotoTargets", args{"source": args{"path": "/other.py"}, "line": 1}, "not in the file")
	e.breaks(bank)
	e.goes("reverseContinue")
	if s := e.goes("continue"); s.Reason != "exception" { // the jump has left total without a value
		t.Errorf("stopped: %+v", s)
	}
	e.goes("continue")
	ask[any](e, "continue", args{"threadId": 1})
	event[any](e, "terminated")
}

// TestRecording checks a session on a file, whose sources have references.
func TestRecording(t *testing.T) {
	t.Parallel()
	path := program(t, "short.py", "x = 1", "y = x + 1", "print(y)")
	file := filepath.Join(t.TempDir(), "run.npdb")
	e := connect(t)
	e.launch(args{"program": path, "stopOnEntry": true})
	e.begin()
	e.types("save " + file)
	ask[any](e, "continue", nil)
	event[any](e, "terminated")
	ask[any](e, "disconnect", nil)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	e = connect(t)
	e.launch(args{"recording": file})
	if lacks := event[protocol.CapabilitiesEventBody](e, "capabilities"); lacks.Capabilities.SupportsRestartRequest {
		t.Errorf("the capabilities are %+v", lacks)
	}
	e.begin()
	f := e.frames()[0]
	if f.Source == nil || f.Source.SourceReference == 0 {
		t.Fatalf("the frame is %+v", f)
	}
	s := ask[protocol.SourceResponseBody](e, "source", args{"source": f.Source, "sourceReference": f.Source.SourceReference})
	if s.Content != "x = 1\ny = x + 1\nprint(y)\n" {
		t.Errorf("the source is %q", s.Content)
	}
	if list := ask[protocol.LoadedSourcesResponseBody](e, "loadedSources", nil).Sources; len(list) != 1 {
		t.Errorf("the sources are %+v", list)
	}
	set := ask[protocol.SetBreakpointsResponseBody](e, "setBreakpoints", args{"source": f.Source, "breakpoints": []args{{"line": 3}}}).Breakpoints
	if !set[0].Verified {
		t.Errorf("the breakpoint is %+v", set[0])
	}
	e.goes("continue")
	e.at(3)
	e.evaluates("watch", "y", "2")
	e.fails("restart", nil, "recording")
	if s := e.goes("continue"); s.Reason != "exit" {
		t.Errorf("stopped: %+v", s)
	}
	e.goes("stepBack")
}

// TestRefused checks the errors of requests.
func TestRefused(t *testing.T) {
	t.Parallel()
	e := connect(t)
	e.fails("stackTrace", nil, "launch")
	e.fails("attach", nil, "give the number of a running Python process")
	e.fails("attach", args{"processId": "x"}, "invalid number literal")
	e.fails("attach", args{"processId": -1}, "give the number")
	for want, a := range map[string]args{
		"set program, module or recording": {},
		"only one of":                      {"program": "a.py", "module": "b"},
		"console is":                       {"program": "a.py", "console": "window"},
		"mode is \"best\"":                 {"program": "a.py", "mode": "best"},
		"leave mode out":                   {"recording": "a.npdb", "mode": "both"},
		"not a []string":                   {"program": "a.py", "args": 3},
		"missing.py":                       {"program": "/missing.py"},
		"missing.npdb":                     {"recording": "/missing.npdb"},
	} {
		e.fails("launch", a, want)
	}
	e.fails("readMemory", nil, "npdb has no request")
	e.fails("initialize", args{"adapterID": 5}, "adapterID is a number")
	bank := example(t, "bank.py")
	e.launch(args{"program": bank, "stopOnEntry": true})
	e.fails("launch", args{"program": bank}, "already")
	e.fails("next", nil, "has not begun")
	e.fails("restart", nil, "has not begun")
	e.begin()
	e.fails("configurationDone", nil, "already")
	e.fails("stepIn", args{"granularity": "instruction"}, "granularity line")
	e.fails("setBreakpoints", args{"source": args{}}, "no path")
	e.fails("exceptionInfo", nil, "no exception")
	e.fails("source", args{"sourceReference": 7}, "no such file")
	e.fails("restartFrame", args{"frameId": 7}, "no frame 7")
	e.fails("setVariable", args{"variablesReference": 7}, "no variable 7")
	for _, broken := range []string{`{`, `[]`, `{"seq":"x"}`, `{"type":"event"}`, `{"type":"request","seq":3}`, `null`} {
		if _, err := e.to.Write(framed(broken)); err != nil {
			t.Fatal(err)
		}
		e.prints("skipped")
	}
	if _, err := io.WriteString(e.to, "GET / HTTP/1.1\r\n\r\nno header\n"); err != nil {
		t.Fatal(err)
	}
	e.at(1)
}
