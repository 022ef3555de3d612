package nav

import (
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// prediction is a state of neural mode: the first state, a predicted one, or one that the user
// edited. The end of the program is a prediction without a stop.
type prediction struct {
	node   *dsl.Node // the text that ends in this state
	stop   *dsl.Stop // nil at the end of the program
	exit   *dsl.Exit // how the program ended, nil if it has not
	before int       // index of the state from which this one was requested, -1 for the first
	origin dsl.Origin
	made   *backend.Prediction // nil if no model predicted the state
	// postMortem reports that the program stops here before an exception ends it.
	postMortem bool
	again      bool // the answer was cached, not requested here
	// madeUp names the arguments of the first state whose values the model filled in.
	madeUp []string
}

// predictions holds the states of neural mode in the order in which they were added. Each was
// predicted from an earlier one, so they form a tree. predictions has the methods of a State Tree,
// as far as the model's states allow.
type predictions struct {
	files   []statetree.File
	sources []*python.Source // by file
	list    []prediction
	codes   []statetree.Code
	code    map[codeKey]int
	acts    uint32 // number of activations so far
	// callers holds the locals that were given of the callers of the first state, by activation.
	callers map[uint32][]dsl.Local
}

// codeKey identifies the function, module or class body that a state is in.
type codeKey struct {
	file, line int // line of the def, 0 if the source has none with this name
	name       string
}

// Files returns the program's files, the main one first.
func (p *predictions) Files() []statetree.File { return p.files }

// Len returns the number of states.
func (p *predictions) Len() int { return len(p.list) }

// add appends a state, gives numbers to its activations, and returns its index.
func (p *predictions) add(made prediction) int {
	if made.stop != nil && made.stop.Activations == nil {
		made.stop.Activations = p.activations(made)
	}
	p.list = append(p.list, made)
	return len(p.list) - 1
}

// activations returns the numbers of the activations on a state's stack. After a step, the events
// tell which activations are new, unless a frame below the current one is on another line than
// before. Then, as after a jump, it is unknown whether a function is still in the same activation;
// this is assumed if all frames below are unchanged.
func (p *predictions) activations(made prediction) []uint32 {
	stack := made.stop.Stack
	var old []uint32
	var frames []dsl.Frame
	exact := false
	if made.before >= 0 && p.list[made.before].stop != nil {
		from := p.list[made.before].stop
		old, frames = from.Activations, from.Stack
		if step, ok := made.node.Step(); ok && !step.Edit && !made.stop.Whole && steps(step.Action.Move) {
			back := step.Action.Move.Inverse()
			if from.Event == dsl.Return && !back || from.Event == dsl.Call && back {
				old, frames = old[:len(old)-1], frames[:len(frames)-1]
			}
			if made.stop.Event == dsl.Call && !back || made.stop.Event == dsl.Return && back {
				exact = len(stack) == len(frames)+1
			} else {
				exact = len(stack) == len(frames)
			}
			exact = exact && sameLines(frames[:max(len(frames)-1, 0)], stack)
		}
	}
	acts := make([]uint32, 0, len(stack))
	for i, f := range stack {
		same := i < len(frames) && f.Function == frames[i].Function && f.File == frames[i].File
		if !exact && same && i < len(stack)-1 {
			same = f.Line == frames[i].Line || i == 0
		}
		if !same {
			break
		}
		acts = append(acts, old[i])
	}
	for len(acts) < len(stack) {
		acts = append(acts, p.acts)
		p.acts++
	}
	return acts
}

// sameLines reports whether the frames are on the same lines as the lowest frames of a stack, which is
// at least as high. An unknown line agrees with any.
func sameLines(frames, stack []dsl.Frame) bool {
	for i, f := range frames {
		if f.Line != 0 && stack[i].Line != 0 && f.Line != stack[i].Line {
			return false
		}
	}
	return true
}

// steps reports whether the stack after a move follows from the events, since the move passes no
// unknown calls.
func steps(m dsl.Move) bool {
	switch m {
	case dsl.Breakpoint, dsl.Continue, dsl.InvBreakpoint, dsl.InvContinue:
		return false
	}
	return m != 0
}

// latest returns the index of the latest state of an activation on the way to state i, -1 if there
// is none. The way consists of the states from which state i was predicted.
func (p *predictions) latest(act uint32, i int) int {
	for ; i >= 0; i = p.list[i].before {
		if s := p.list[i].stop; s != nil && s.Activations[s.Depth] == act {
			return i
		}
	}
	return -1
}

// LocalsOf returns the locals that an activation had at its latest state on the way to state i.
func (p *predictions) LocalsOf(act uint32, i int) []dsl.Local {
	if at := p.latest(act, i); at >= 0 {
		return p.list[at].stop.Locals
	}
	return p.callers[act]
}

// LinesOf returns the lines of an activation on the way to state i, each once, the latest first. It
// stops at a backward move.
func (p *predictions) LinesOf(act uint32, i, events int) []int {
	var lines []int
	for i = p.latest(act, i); i >= 0 && events > 0; events-- {
		if line := p.list[i].stop.Line; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		if step, ok := p.list[i].node.Step(); !ok || step.Action.Move.Inverse() {
			break
		}
		i = p.latest(act, p.list[i].before)
	}
	return lines
}

// State returns state i, nil for the end.
func (p *predictions) State(i int) *dsl.State {
	stop := p.list[i].stop
	if stop == nil {
		return nil
	}
	st := stop.State
	st.Locals = slices.Clone(st.Locals)
	if source, ok := p.SourceLine(p.fileIndex(st.File), st.Line); ok {
		st.Source = source // use the true line: the model's may be redacted
	}
	return &st
}

// Stack returns the call stack at state i, nil at the end.
func (p *predictions) Stack(i int) []statetree.StackFrame {
	stop := p.list[i].stop
	if stop == nil {
		return nil
	}
	out := make([]statetree.StackFrame, len(stop.Stack))
	for n, f := range stop.Stack {
		act := stop.Activations[n]
		out[n] = statetree.StackFrame{Frame: f, Activation: act, Event: p.latest(act, i)}
	}
	return out
}

// At returns state i without its locals and its value.
func (p *predictions) At(i int) statetree.Record {
	made := p.list[i]
	s := made.stop
	if s == nil {
		return statetree.Record{Code: -1, File: -1}
	}
	file := p.fileIndex(s.File)
	return statetree.Record{
		Event: s.Event, Kind: s.Kind, Line: s.Line, Activation: s.Activations[s.Depth],
		Code: p.codeAt(file, s.Line, s.Function), File: file, Depth: s.Depth,
		Edited: made.origin == dsl.Edited, HasValue: s.Value != nil,
	}
}

func (p *predictions) fileIndex(name string) int {
	return slices.IndexFunc(p.files, func(f statetree.File) bool { return f.Name == name })
}

// codeAt returns the number of the code at a line: the innermost function of this name around it.
func (p *predictions) codeAt(file, line int, name string) int {
	var found python.Signature
	for _, f := range p.sources[file].Functions() {
		if f.Name == name && f.Line <= line && line <= f.EndLine && f.Line > found.Line {
			found = f
		}
	}
	key := codeKey{file, found.Line, name}
	if i, ok := p.code[key]; ok {
		return i
	}
	c := statetree.Code{File: file, Name: name, QualName: name}
	if found.Line > 0 {
		c.QualName, c.FirstLine, c.LastLine = found.QualName, found.Line, found.EndLine
		c.Names, c.Fast, c.Generator = argNames(found), true, found.Generator || found.Async
		c.Args = len(c.Names)
	}
	if p.code == nil {
		p.code = map[codeKey]int{}
	}
	p.code[key] = len(p.codes)
	p.codes = append(p.codes, c)
	return p.code[key]
}

// argNames returns a function's parameters in the order of co_varnames.
func argNames(f python.Signature) []string {
	var names []string
	for _, kinds := range [][]python.ParamKind{
		{python.PositionalOnly, python.PositionalOrKeyword},
		{python.KeywordOnly},
		{python.VarPositional},
		{python.VarKeyword},
	} {
		for _, param := range f.Params {
			if slices.Contains(kinds, param.Kind) {
				names = append(names, param.Name)
			}
		}
	}
	return names
}

// Code returns the code with a number from At.
func (p *predictions) Code(i int) statetree.Code {
	if i < 0 {
		return statetree.Code{File: -1}
	}
	return p.codes[i]
}

// SourceLine returns a line of a file without its newline.
func (p *predictions) SourceLine(file, line int) (string, bool) {
	if file < 0 || line < 1 || line > len(p.sources[file].Lines()) {
		return "", false
	}
	return p.sources[file].Lines()[line-1], true
}

// Words returns false: of a predicted exception only the repr is known.
func (p *predictions) Words(int) (string, bool) { return "", false }

// FatalException returns the index of an activation's last exception state, -1 if there is none.
func (p *predictions) FatalException(act uint32) int {
	for i := len(p.list) - 1; i >= 0; i-- {
		if s := p.list[i].stop; s != nil && s.Event == dsl.Exception && s.Activations[s.Depth] == act {
			return i
		}
	}
	return -1
}

var _ States = (*predictions)(nil)

// CameBy returns the index of the state from which state i was predicted, -1 for the first. inverse
// reports whether that was by a backward move.
func (p *predictions) CameBy(i int) (before int, inverse bool) {
	at := &p.list[i]
	return at.before, at.made != nil && at.origin == dsl.Inferred
}
