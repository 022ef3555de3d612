package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace/statetree"
)

// Loop shows the iterations of a loop as a table: a row for each iteration, a column for each name that
// changes. Given again, it shows later rows.
type Loop struct {
	// At is a line of the loop; the zero Target means the selected frame's current line.
	At Target `json:"at,omitzero"`
	// All shows all runs of the loop in this call of the function, else only the present run.
	All bool `json:"all,omitempty"`
	// Rows is the number of rows to show, 0 for the default.
	Rows int `json:"rows,omitempty"`
	// Filter selects rows: an expression that is true at the end of the iteration, or a text in quotes
	// that a value contains. "" selects all.
	Filter string `json:"filter,omitempty"`
}

func (c Loop) String() string {
	var parts []any
	if c.All {
		parts = append(parts, "-a")
	}
	if c.Rows > 0 {
		parts = append(parts, "-n", c.Rows)
	}
	if c.At != (Target{}) {
		parts = append(parts, c.At)
	}
	return words("loop", append(parts, c.Filter)...)
}

// looping makes the tables of loops.
type looping struct {
	cfg      *Config
	program  *program
	draft    *draft
	position *position
	files    *files
	visits   *visits

	last *loopTable // the table that was shown last, nil for none
}

func (c Loop) run(ctx context.Context, s *Session) error {
	t, err := s.looping.table(ctx, c)
	if err != nil {
		return err
	}
	rows := c.Rows
	if rows == 0 {
		rows = loopPage
	}
	begin, again := s.draft.goOn("loop", c.String(), t.activation)
	if !again {
		begin = t.begin(rows)
	}
	shown := s.looping.page(ctx, t, begin, rows, s.program.mustEnd)
	if again && len(shown.Rows) == 0 && (c.Filter == "" || shown.Scanned == shown.Iterations) {
		return errorf(NotFound, "loop: there are no later iterations")
	}
	s.draft.page = page{"loop", c.String(), t.activation, s.draft.seq, shown.First + len(shown.Rows)}
	s.draft.answer.Loop = shown
	s.draft.answer.Interrupted = s.program.stopping.Load()
	s.draft.say(s.looping.text(shown))
	return nil
}

// table finds the loop that a command means, and its iterations.
func (lo *looping) table(ctx context.Context, c Loop) (*loopTable, error) {
	var at breakpoint.Breakpoint
	frame, err := lo.position.recordedFrame()
	switch {
	case c.At != (Target{}):
		err = lo.files.place(ctx, &at, c.At)
	case err == nil:
		at.Line = frame.Line
		at.File, err = lo.files.currentFile()
	}
	if err != nil {
		return nil, err
	}
	number := slices.IndexFunc(lo.program.states().Files(), func(f statetree.File) bool { return f.Path == at.File })
	if number < 0 {
		return nil, errorf(NotFound, "loop: nothing of %s ran, so there are no iterations", at.File)
	}
	file := lo.program.states().Files()[number]
	loops := python.ReadLoops(file.Source)
	loop, ok := loops.At(at.Line)
	if !ok {
		return nil, noLoop(file, loops.Lines(at.Line), at.Line)
	}
	t := &loopTable{command: c, loop: loop, file: file, states: lo.program.states().Len()}
	if t.source, t.activation, err = lo.source(number, &loop); err != nil {
		return nil, err
	}
	t.here = lo.position.here()
	if l, predicted := t.source.(*predictedLoop); predicted {
		t.here = slices.Index(l.chain, t.here)
	}
	if err := t.filterBy(c.Filter); err != nil {
		return nil, err
	}
	if err := t.choose(c.All, lo.last); err != nil {
		return nil, err
	}
	lo.last = t
	return t, nil
}

// noLoop returns the error for a line that is in no loop.
func noLoop(file statetree.File, lines []int, line int) error {
	if len(lines) == 0 {
		return errorf(NotFound, "loop: line %d of %s is in no for or while loop, and its function has none: loop LINE shows one of another function, up selects the caller", line, file.Name)
	}
	var others []string
	for _, other := range lines {
		others = append(others, fmt.Sprint(other))
	}
	return errorf(
		NotFound, "loop: line %d of %s is in no for or while loop; loop LINE shows one of those at %s", line, file.Name, strings.Join(others, ", "),
	)
}

// source returns the activation in which the loop is shown: the selected frame if it has the loop, else
// the innermost frame that has it, else the call of the function before here or, failing that, the
// first after here.
func (lo *looping) source(file int, l *python.Loop) (loopSource, uint32, error) {
	past := lo.program.past()
	act, ok := lo.onStack(file, l)
	if past == nil {
		chain := lo.chain()
		if !ok {
			act, ok = lo.inChain(chain, file, l)
		}
		if ok {
			return &predictedLoop{lo.program.states(), act, chain}, act, nil
		}
	} else {
		if !ok {
			act, ok = lo.inRecording(past.Tree(), file, l)
		}
		if ok {
			return recordedLoopOf(past, act), act, nil
		}
	}
	return nil, 0, errorf(NotFound, "loop: no iteration of the loop at line %d is %s", l.Line, lo.known())
}

// onStack returns the activation of the selected frame or, failing that, the innermost one that has a
// loop.
func (lo *looping) onStack(file int, l *python.Loop) (uint32, bool) {
	frames := slices.Clone(lo.program.states().Stack(lo.position.here()))
	slices.Reverse(frames)
	if frame, err := lo.position.lookedAt(); err == nil {
		frames = slices.Insert(frames, 0, frame)
	}
	for _, f := range frames {
		within := l.Around[0] <= f.Line && f.Line <= l.Around[1]
		if within && f.Function == l.Function && lo.position.fileOf(f) == file {
			return f.Activation, true
		}
	}
	return 0, false
}

// inRecording returns the activation that came to a loop last before here, else the first one after here.
func (lo *looping) inRecording(t *statetree.Tree, file int, l *python.Loop) (uint32, bool) {
	at := []dsl.Location{{File: file, Line: l.Line}, {File: file, Line: l.First[0]}}
	event, ok := t.PrevLine(lo.position.here()+1, at)
	if !ok {
		event, ok = t.NextLine(lo.position.here(), at)
	}
	if !ok {
		return 0, false
	}
	return t.At(event).Activation, true
}

// inChain does the same for predicted states.
func (lo *looping) inChain(chain []int, file int, l *python.Loop) (uint32, bool) {
	states := lo.program.states()
	here := slices.Index(chain, lo.position.here())
	ahead := slices.Clone(chain[:here])
	slices.Reverse(ahead)
	for _, state := range append(ahead, chain[here:]...) {
		if r := states.At(state); r.File == file && (r.Line == l.Line || r.Line == l.First[0]) {
			return r.Activation, true
		}
	}
	return 0, false
}

// known says where iterations come from.
func (lo *looping) known() string {
	if lo.program.past() == nil {
		return "among the states of this branch of the history"
	}
	return "recorded"
}

// chain returns the predicted states that led to the state that was shown last on this branch, or here
// if they do not lead through here. Inferred states come before those that they were inferred from.
func (lo *looping) chain() []int {
	here := lo.position.here()
	if tip := lo.visits.tree.Visit(lo.visits.tree.Tip()); tip != nil {
		if chain := lo.led(tip.Event); slices.Contains(chain, here) {
			return chain
		}
	}
	return lo.led(here)
}

// led returns the predicted states that led to a state, the earliest first. For an inferred state it
// returns those from it on.
func (lo *looping) led(state int) (chain []int) {
	p := lo.program.states().(interface {
		CameBy(i int) (before int, inverse bool)
	})
	before, inverse := p.CameBy(state)
	if inverse {
		for ; inverse; before, inverse = p.CameBy(before) {
			chain = append(chain, state)
			state = before
		}
		return append(chain, state)
	}
	for ; state >= 0 && !inverse; state = before {
		chain = append(chain, state)
		before, inverse = p.CameBy(state)
	}
	slices.Reverse(chain)
	return chain
}
