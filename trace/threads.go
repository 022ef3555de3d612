package trace

import (
	"fmt"
	"strconv"
	"strings"
)

// metElsewhere adds an announcement about a breakpoint that was hit in a thread that is not recorded.
// The fields of m are the file, the line, the thread's name, "call" for a call of breakpoint(), and
// "last" if the tracer reports no further threads for the line.
func (r *Recording) metElsewhere(m message) {
	path, thread := m.field(0), m.field(2)
	line, _ := strconv.Atoi(m.field(1))
	what := "breakpoint() at %s:%d was called"
	if m.field(3) != "call" {
		number := r.numberAt(path, line)
		if number == 0 {
			return // a goal of a move, or the breakpoint was deleted meanwhile
		}
		what = "breakpoint " + strconv.Itoa(number) + " at %s:%d was hit"
	}
	said := fmt.Sprintf(what+" in thread %s, which npdb does not record", r.opts.ShownName(path), line, thread)
	if r.leaving == "" { // npdb has started the program
		said += fmt.Sprintf("; 'thread %s' runs the program again and records that thread", thread)
	}
	if m.field(4) != "" {
		said += ". Further threads that come to this line are not reported"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notices, r.urgent = append(r.notices, said), true
}

// numberAt returns the number of a breakpoint at a line of a file, 0 if there is none.
func (r *Recording) numberAt(path string, line int) int {
	files := r.tree.Files()
	for _, s := range r.breakpoints() {
		if s.For == OnLine && s.At.Line == line && s.At.File >= 0 && s.At.File < len(files) && files[s.At.File].Real == path && s.Number > 0 {
			return s.Number
		}
	}
	return 0
}

// Announced returns the notices that were not shown yet, if one of them should not wait for the end of
// the move. Otherwise it returns "". Any goroutine may call it.
func (r *Recording) Announced() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.urgent {
		return ""
	}
	return r.news()
}

// neverBegan returns the notice about a thread that should have been recorded and did not begin.
func (r *Recording) neverBegan() string {
	said := fmt.Sprintf("no thread named %s began, so that nothing is recorded", r.opts.Thread)
	if len(r.others) == 0 {
		return said + ": the program started no other thread with threading.Thread"
	}
	return said + ". The program's other threads: " + strings.Join(r.others, ", ")
}
