package session

import (
	"context"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// Blocks shows the runs of a function's basic blocks as a table. A row has the values before and after a
// run, and a verdict. If the command is repeated, it shows later rows.
type Blocks struct {
	// Function is the name or the qualified name; "" means the function of the selected frame.
	Function string `json:"function,omitempty"`
	// All shows all calls of the function. Without All, Blocks shows one call: the innermost one on the
	// stack, else the last one before the position, else the first one.
	All bool `json:"all,omitempty"`
	// Rows is the number of rows to show; 0 means the default.
	Rows int `json:"rows,omitempty"`
	// Judge asks the chat model for a verdict on each row. Task says what the function is to do; ""
	// means its docstring.
	Judge bool   `json:"judge,omitempty"`
	Task  string `json:"task,omitempty"`
}

func (c Blocks) String() string {
	var parts []any
	if c.All {
		parts = append(parts, "-a")
	}
	if c.Rows > 0 {
		parts = append(parts, "-n", c.Rows)
	}
	parts = append(parts, c.Function)
	if c.Judge {
		parts = append(parts, "--judge", c.Task)
	}
	return words("blocks", parts...)
}

// blocking builds tables of basic blocks.
type blocking struct{ *looping }

func (c Blocks) run(ctx context.Context, s *Session) error {
	b := blocking{s.looping}
	if c.Judge {
		if err := s.canAsk("blocks --judge"); err != nil {
			return err
		}
	}
	t, err := b.blockTable(c)
	if err != nil {
		return err
	}
	rows := c.Rows
	if rows == 0 {
		rows = loopPage
	}
	begin, again := s.draft.goOn("blocks", c.String(), t.calls[0].activation)
	if !again {
		begin = max(min(t.current()-rows/2, len(t.runs)-rows), 0)
	}
	page := b.blockPage(ctx, t, begin, min(rows, loopMost))
	if again && len(page.Rows) == 0 {
		return errorf(NotFound, "blocks: there are no later runs")
	}
	if c.Judge && s.journaling.replaying == nil {
		if err := s.judge(ctx, t, page); err != nil {
			return err
		}
	}
	s.draft.page = page.next(c, t.calls[0].activation, s.draft.seq)
	s.draft.answer.Blocks = page
	s.draft.answer.Interrupted = s.program.stopping.Load()
	s.draft.say(b.blocksText(page))
	return nil
}

// next returns the page that follows this one.
func (p *BlocksPage) next(c Blocks, act uint32, seq int) page {
	return page{"blocks", c.String(), act, seq, p.First + len(p.Rows)}
}

// The limits of a table.
const (
	blockCalls = 10_000  // number of calls
	blockRuns  = 100_000 // number of runs
)

// blockTable holds the runs of the blocks of a function in some of its calls.
type blockTable struct {
	command Blocks
	file    statetree.File
	source  *python.Source
	blocks  *python.Blocks
	facts   *python.BlockFacts
	globals []string // names of module variables that the function may use
	code    *python.CodeBlocks
	calls   []blockCall
	all     int // number of the function's calls, including those that calls lacks
	runs    []blockRun
	more    bool // there are calls or runs that the table lacks
	here    int  // event of the position
}

// blockCall is an activation of the function.
type blockCall struct {
	loopSource
	activation uint32
	first      int // index of its first run
	runs       int
	asserts    []failedAssert
	checked    bool
}

// blockRun is a run of a block.
type blockRun struct {
	query.Passage
	call int // index of the call
}

// blockTable returns the runs of the blocks of the function and calls that a command selects.
func (b blocking) blockTable(c Blocks) (*blockTable, error) {
	states := b.program.states()
	acts, err := b.callsOf(c)
	if err != nil {
		return nil, err
	}
	code, file, function, line := b.codeOf(acts[0])
	t := &blockTable{command: c, file: states.Files()[file], all: len(acts), here: b.position.here()}
	t.blocks, t.facts, t.source = python.ReadBlocks(t.file.Source), python.ReadBlockFacts(t.file.Source), python.Read(t.file.Source)
	if t.code = findCode(t.blocks, code, function, line); t.code == nil {
		return nil, errorf(NotFound, "blocks: %s is no function, class or module in the source of %s", function, t.file.Name)
	}
	scopes := python.ReadScopes(t.file.Source)
	if scope, ok := scopes.At(t.code.Name, t.code.Line); ok {
		for _, name := range scope.Globals {
			if slices.Contains(scopes.Module, name) {
				t.globals = append(t.globals, name)
			}
		}
	}
	for _, act := range acts[:min(len(acts), blockCalls)] {
		call := blockCall{activation: act, first: len(t.runs)}
		if past := b.program.past(); past != nil {
			call.loopSource = recordedLoopOf(past, act)
		} else {
			call.loopSource = &predictedLoop{states, act, b.chain()}
		}
		found := query.FindPassages(call, t.blocks, t.code)
		if room := blockRuns - len(t.runs); len(found) > room {
			found, t.more = found[:room], true
		}
		call.runs = len(found)
		for _, p := range found {
			t.runs = append(t.runs, blockRun{p, len(t.calls)})
		}
		t.calls = append(t.calls, call)
		if t.more {
			break
		}
	}
	t.more = t.more || t.all > len(t.calls)
	if len(t.runs) == 0 {
		return nil, errorf(NotFound, "blocks: no line of %s is %s", t.code.QualName, b.known())
	}
	return t, nil
}

// codeOf returns the code object of an activation, its file, its function's name and one of its lines. In
// neural mode code is nil.
func (b blocking) codeOf(act uint32) (code *statetree.Code, file int, function string, line int) {
	if past := b.program.past(); past != nil {
		t := past.Tree()
		own := t.Code(t.CodeOf(act))
		return &own, own.File, own.Name, own.FirstLine
	}
	states := b.program.states()
	for _, i := range b.chain() {
		if r := states.At(i); r.Activation == act {
			return nil, r.File, states.State(i).Function, r.Line
		}
	}
	return nil, 0, "", 0
}

// findCode returns the blocks of a code object, or nil if the source does not contain it. If code is nil,
// findCode looks for the innermost function with this name that contains the line.
func findCode(blocks *python.Blocks, code *statetree.Code, function string, line int) (found *python.CodeBlocks) {
	if code != nil {
		if code.IsModule() {
			line = 1
		}
		return blocks.Code(code.Name, line)
	}
	for i := range blocks.Codes {
		if c := &blocks.Codes[i]; c.Name == function && c.Line <= line && line <= c.Last {
			found = c
		}
	}
	return found
}

// callsOf returns the activations that a command selects, in the order of their events.
func (b blocking) callsOf(c Blocks) ([]uint32, error) {
	if c.Function == "" && !c.All {
		frame, err := b.position.recordedFrame()
		return []uint32{frame.Activation}, err
	}
	is, name := b.called(c.Function), c.Function
	if c.Function == "" {
		frame, err := b.position.recordedFrame()
		if err != nil {
			return nil, err
		}
		is, name = b.like(frame.Activation), frame.Function
	}
	var acts []uint32
	if past := b.program.past(); past != nil {
		t := past.Tree()
		for act := range uint32(t.Activations()) {
			if first, _ := t.Lifetime(act); first >= 0 && is(act) {
				acts = append(acts, act)
			}
		}
	} else {
		states := b.program.states()
		for _, i := range b.chain() {
			if act := states.At(i).Activation; !slices.Contains(acts, act) && is(act) {
				acts = append(acts, act)
			}
		}
	}
	switch {
	case len(acts) == 0:
		return nil, errorf(NotFound, "blocks: no call of %s is %s", name, b.known())
	case c.All:
		return acts, nil
	}
	return []uint32{b.nearest(acts)}, nil
}

// called returns a test for activations of a function with this name or qualified name. The test takes
// qualified names from the source, because code objects of Python 3.9 and 3.10 do not have them.
func (b blocking) called(name string) func(act uint32) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	blocks := map[int]*python.Blocks{}
	return func(act uint32) bool {
		code, file, function, line := b.codeOf(act)
		if function != last || last == name {
			return function == name
		}
		if blocks[file] == nil {
			blocks[file] = python.ReadBlocks(b.program.states().Files()[file].Source)
		}
		own := findCode(blocks[file], code, function, line)
		return own != nil && own.QualName == name
	}
}

// like returns a test for activations of the same function as the activation other.
func (b blocking) like(other uint32) func(act uint32) bool {
	code, file, function, _ := b.codeOf(other)
	return func(act uint32) bool {
		own, in, name, _ := b.codeOf(act)
		return in == file && name == function && (code == nil || own != nil && own.FirstLine == code.FirstLine)
	}
}

// nearest returns the innermost of the activations that are on the stack, else the one that began last
// before the position, else the first.
func (b blocking) nearest(acts []uint32) uint32 {
	states, here := b.program.states(), b.position.here()
	for _, f := range slices.Backward(states.Stack(here)) {
		if slices.Contains(acts, f.Activation) {
			return f.Activation
		}
	}
	found := acts[0]
	if past := b.program.past(); past != nil {
		for _, act := range acts {
			if first, _ := past.Tree().Lifetime(act); first <= here {
				found = act
			}
		}
		return found
	}
	for _, i := range b.chain() {
		if act := states.At(i).Activation; i <= here && slices.Contains(acts, act) {
			found = act
		}
	}
	return found
}

// current returns the index of the run that the position is in, or 0.
func (t *blockTable) current() int {
	at := 0
	for i, r := range t.runs {
		if t.calls[r.call].event(r.Event) <= t.here {
			at = i
		}
	}
	return at
}

// event returns the number of an event of the call in the recording or, in neural mode, in the list of
// predicted states.
func (c *blockCall) event(at int) int {
	if l, predicted := c.loopSource.(*predictedLoop); predicted {
		return l.chain[at]
	}
	return at
}

// reads returns the names that a block reads, with their values at an event. It omits names without a value.
func (t *blockTable) reads(c *blockCall, block python.Block, event int) (in []dsl.Local) {
	own := c.names(event)
	for _, name := range t.facts.Reads(t.code, block.First, block.Last) {
		if !slices.Contains(own, name) && !slices.Contains(t.globals, name) {
			continue
		}
		if v := c.value(name, event); v.OK {
			in = append(in, dsl.Local{Name: name, Value: v.Text})
		}
	}
	return in
}

// changes returns the names whose values differ between two events, with the later values, and the names
// that have no value any more.
func (t *blockTable) changes(c *blockCall, from, to int) (out []dsl.Local, gone []string) {
	before, after := c.names(from), c.names(to)
	for _, name := range slices.Concat(after, t.globals) {
		was, is := c.value(name, from), c.value(name, to)
		if is.OK && (!was.OK || was.Text != is.Text) {
			out = append(out, dsl.Local{Name: name, Value: is.Text})
		}
	}
	for _, name := range before {
		if !slices.Contains(after, name) {
			gone = append(gone, name)
		}
	}
	return out, gone
}

// text returns the source lines of the function.
func (t *blockTable) text() []string {
	lines := dsl.SplitLines(string(t.file.Source))
	return lines[min(t.code.Line-1, len(lines)):min(t.code.Last, len(lines))]
}

// task returns the description of the function's task: that of the command, or the docstring.
func (t *blockTable) task() string {
	if t.command.Task != "" {
		return t.command.Task
	}
	return strings.TrimSpace(t.facts.Doc(t.code))
}
