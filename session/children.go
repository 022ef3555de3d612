package session

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
)

// ChildProcess is a child process of the program.
type ChildProcess struct {
	Number    int
	Pid       int
	Args      []string
	Forked    bool // a copy of its parent
	Event     int  // the last event of the program that npdb had read when the child joined; -1 for none
	State     trace.ChildState
	Exception string // that ended it, "" if there was none or it is unknown
	Shown     bool
}

// parent is a recording whose program has child processes.
type parent interface{ Children() []*trace.Child }

// children returns the child processes, and the index of the run whose program is their parent.
func (pr *program) children() (list []*trace.Child, home int) {
	if p, ok := pr.rec.(parent); ok {
		if list = p.Children(); len(list) > 0 {
			return list, pr.shown
		}
	}
	for i, r := range pr.runs {
		if p, ok := r.rec.(parent); ok && i != pr.shown {
			if list = p.Children(); len(list) > 0 {
				return list, i
			}
		}
	}
	return nil, pr.shown
}

// shownChild returns the number of the child that is shown, 0 if it is none.
func (pr *program) shownChild() int {
	if pr.shown < len(pr.runs) {
		return pr.runs[pr.shown].child
	}
	return 0
}

// infoChildren lists the child processes.
func (b *branching) infoChildren() error {
	if !b.cfg.Options.Children {
		return errorf(Refused, "info children: child processes run unrecorded; npdb --children records them")
	}
	list, _ := b.program.children()
	if len(list) == 0 {
		b.draft.say("No child process has run code of yours.")
		return nil
	}
	var lines []string
	for _, c := range list {
		p := ChildProcess{
			Number: c.Number, Pid: c.Pid, Args: c.Args, Forked: c.Forked, Event: c.Event, State: c.State(), Exception: c.Exception(),
			Shown: b.program.shownChild() == c.Number,
		}
		b.draft.answer.Children = append(b.draft.answer.Children, p)
		lines = append(lines, p.text())
	}
	b.draft.say(strings.Join(lines, "\n"))
	return nil
}

// text formats a child as one line; * marks the shown one.
func (p *ChildProcess) text() string {
	mark, how := " ", "started"
	if p.Shown {
		mark = "*"
	}
	if p.Forked {
		how = "forked"
	}
	line := fmt.Sprintf("%s %d (process %d, %s): %s", mark, p.Number, p.Pid, how, p.State)
	if p.Exception != "" {
		line += " with " + escape.Line(p.Exception)
	}
	return line + ": " + escape.Line(strings.Join(p.Args, " "))
}

// ShowChild shows a child process, by its number; 0 shows the program again.
type ShowChild struct {
	Number int `json:"number"`
}

func (c ShowChild) String() string { return "child " + strconv.Itoa(c.Number) }

func (c ShowChild) run(ctx context.Context, s *Session) error {
	list, home := s.program.children()
	switch {
	case c.Number == 0 && s.program.shownChild() == 0:
		return errorf(BadArgument, "The program itself is shown already")
	case c.Number == 0:
		s.branching.toRun(home)
		s.branching.showEdge()
		return nil
	case !s.cfg.Options.Children:
		return errorf(Refused, "%s: child processes run unrecorded; npdb --children records them", c)
	case s.program.recorded() == nil || s.program.beside() != nil:
		return errorf(Refused, "%s: child processes are recorded in real mode only", c)
	}
	for _, child := range list {
		if child.Number == c.Number {
			return s.branching.showChild(ctx, child)
		}
	}
	return errorf(NotFound, "There is no child %d (info children lists them)", c.Number)
}

// showChild shows a child at its live edge. A child that runs is stopped.
func (b *branching) showChild(ctx context.Context, c *trace.Child) error {
	pr := b.program
	for i, r := range pr.runs {
		if r.child == c.Number {
			b.toRun(i)
			b.showEdge()
			return nil
		}
	}
	ctx, done := pr.interruptible(ctx)
	defer done()
	rec, err := c.Take(ctx)
	if err != nil {
		return errorf(Stopped, "child %d did not stop, because it runs no Python code now: it runs on", c.Number)
	}
	if len(pr.runs) == 0 {
		pr.runs = []*run{{}}
	}
	pr.runs = append(pr.runs, &run{
		source: pr.recorded().Child(rec), rec: rec, output: outputCursor{event: -1}, displays: map[uint32][]*display{},
		hits: map[*breakpoint.Breakpoint]breakpoint.Crossings{}, child: c.Number,
	})
	b.toRun(len(pr.runs) - 1)
	b.draft.output.skip(rec.Output(-1, -1))
	b.showEdge()
	return nil
}

// showEdge makes the live edge of the shown run the position.
func (b *branching) showEdge() {
	edge := b.program.rec.LiveEdge()
	b.program.walkAt(edge)
	b.position.pos, b.position.selected, b.position.look = edge, 0, false
	b.files.listed, b.draft.stop = listed{}, &stop{}
	b.draft.answer.Action = nil
	b.visits.remember()
	b.breakpoints.countHits()
}

// childrenEnded returns a notice about the child processes that end with the session, "" for none.
func (pr *program) childrenEnded() string {
	list, _ := pr.children()
	n := 0
	for _, c := range list {
		if c.State() != trace.ChildEnded {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return plural(n, "child process that had not ended was", "child processes that had not ended were") + " ended with the session."
}

// heldAfter is the time after which npdb says that a move may wait for a child.
const heldAfter = 2 * time.Second

// heldUp notices that a move of the program takes long while a child is stopped, for which the program may wait.
type heldUp struct {
	began time.Time
	told  bool
}

// notice returns the notice for the user, once in a move, else "".
func (h *heldUp) notice(pr *program, now time.Time) string {
	if h.began.IsZero() {
		h.began = now
	}
	if h.told || now.Sub(h.began) < heldAfter || pr.shownChild() != 0 {
		return ""
	}
	list, _ := pr.children()
	for _, c := range list {
		if c.State() == trace.ChildStops {
			h.told = true
			return fmt.Sprintf("child %d is stopped. If the program waits for it, stop this move, and use child %d and c to run the child on", c.Number, c.Number)
		}
	}
	return ""
}
