package session

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace"
)

// Thread is a thread of the program.
type Thread struct {
	Name     string
	Ident    int // that of threading.get_ident(); 0 if it is unknown
	Recorded bool
	At       *dsl.Frame // the innermost frame of user code, else the innermost frame; nil if there is none
	Inside   *dsl.Frame // the innermost frame, if it is another one
}

// mainThread is the name that Python gives the main thread.
const mainThread = "MainThread"

// threadFields is the number of fields that the tracer sends for each thread.
const threadFields = 9

// infoThreads lists the threads of the program. Of the past only the recorded thread is known.
func (vs *values) infoThreads(ctx context.Context) error {
	if !vs.position.live() && !vs.position.pos.End && vs.position.pos.Inferred == 0 && vs.program.recorded() != nil {
		return vs.recordedThread()
	}
	if err := vs.position.needLive("info threads"); err != nil {
		return err
	}
	answer, err := vs.program.rec.Ask(ctx, 0, trace.VerbThreads, "")
	if err != nil {
		return err
	}
	all, list, err := vs.threadsIn(answer.Text)
	if err != nil {
		return err
	}
	vs.draft.answer.Threads = list
	lines := make([]string, len(list))
	for i := range list {
		lines[i] = list[i].text()
	}
	if all > len(list) {
		lines = append(lines, fmt.Sprintf("%s more threads are left out.", thousands(all-len(list))))
	}
	vs.draft.say(strings.Join(lines, "\n"))
	return nil
}

// recordedThread lists the only thread that a recorded state knows.
func (vs *values) recordedThread() error {
	frame, err := vs.position.lookedAt()
	if err != nil {
		return err
	}
	t := Thread{Name: cmp.Or(vs.cfg.Options.Thread, mainThread), Recorded: true, At: &dsl.Frame{Function: frame.Function, File: frame.File, Line: frame.Line}}
	vs.draft.answer.Threads = []Thread{t}
	vs.draft.say(t.text() + "\nThis is the past: only the recorded thread is known there.")
	return nil
}

// threadsIn parses the tracer's list of threads. all is the number of threads, which the list may not
// contain all of.
func (vs *values) threadsIn(text string) (all int, list []Thread, err error) {
	records := strings.Split(text, askRecord)
	if all, err = strconv.Atoi(records[0]); err != nil {
		return 0, nil, errorf(EngineFailed, "The tracer's reply for info threads has no number of threads.")
	}
	for _, one := range records[1:] {
		f := strings.Split(one, askField)
		if len(f) != threadFields {
			return 0, nil, errorf(EngineFailed, "The tracer's reply for info threads has a thread of %d fields.", len(f))
		}
		t := Thread{Name: f[0], Recorded: f[2] != "", At: vs.threadFrame(f[3:6]), Inside: vs.threadFrame(f[6:])}
		t.Ident, _ = strconv.Atoi(f[1])
		list = append(list, t)
	}
	return all, list, nil
}

// threadFrame converts a path, a line and a function to a frame; nil if there is no path.
func (vs *values) threadFrame(f []string) *dsl.Frame {
	if f[0] == "" {
		return nil
	}
	line, _ := strconv.Atoi(f[1])
	return &dsl.Frame{File: vs.cfg.Options.ShownName(f[0]), Line: line, Function: f[2]}
}

// text formats a thread as one line; * marks the recorded one.
func (t *Thread) text() string {
	mark := " "
	var about []string
	if t.Ident != 0 {
		about = append(about, "ident "+strconv.Itoa(t.Ident))
	}
	if t.Recorded {
		mark = "*"
		about = append(about, "recorded")
	}
	line := mark + " " + escape.Line(t.Name)
	if len(about) > 0 {
		line += " (" + strings.Join(about, ", ") + ")"
	}
	if t.At == nil {
		return line + ": runs no Python code"
	}
	line += fmt.Sprintf(": %s:%d in %s", escape.Line(t.At.File), t.At.Line, t.At.Function)
	if t.Inside != nil {
		line += fmt.Sprintf(", inside %s:%d in %s", escape.Line(t.Inside.File), t.Inside.Line, t.Inside.Function)
	}
	return line
}
