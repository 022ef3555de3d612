package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace/statetree"
)

// The default limits of ChainOptions.
const (
	ChainSteps = 256
	ChainBytes = 64 << 10
	ChainCalls = 1000
)

// ChainOptions selects the calls to write, and limits the chains.
type ChainOptions struct {
	Program string // name of the program
	// Function selects the calls of one function, by its name or qualified name. "" selects the
	// outermost calls of the program's own functions.
	Function string
	Over     bool // pass over the calls that a call makes, as step_over does
	Steps    int  // maximum number of steps of a chain; 0 means ChainSteps
	Bytes    int  // maximum size of its question, steps and text together; 0 means ChainBytes
	Calls    int  // maximum number of chains; 0 means ChainCalls
	Redact   *redact.Redactor
}

// Chains counts the calls that WriteChains wrote and left out.
type Chains struct {
	Written, Cut int // calls; Cut counts those of Written whose steps end early
	TooLarge     int // calls left out because the program and the arguments alone exceed the limit
	Odd          int // calls left out because nd/1 cannot express them
	Generators   int // calls left out because they only make a generator or coroutine
	Beyond       int // calls left out after ChainOptions.Calls
}

// WriteChains writes each selected call of a recording as one line of JSON (Chain).
func WriteChains(w io.Writer, t *statetree.Tree, o ChainOptions) (Chains, error) {
	o.Steps, o.Bytes, o.Calls = cmp.Or(o.Steps, ChainSteps), cmp.Or(o.Bytes, ChainBytes), cmp.Or(o.Calls, ChainCalls)
	c := &chains{tree: t, ChainOptions: o, sources: map[int]*python.Source{}, blocks: map[int]*python.Blocks{}}
	for _, f := range t.Files() {
		c.program.Files = append(c.program.Files, dsl.SourceFile{Name: f.Name, Lines: dsl.SplitLines(string(f.Source))})
	}
	calls := c.calls()
	if len(calls) == 0 && o.Function != "" {
		return Chains{}, fmt.Errorf("the recording has no call of %s%s", o.Function, c.others())
	}
	c.shown = o.Redact.Program(&c.program)
	if o.Redact != nil { // the first pass only finds secrets: one that is found late may occur earlier
		if err := c.write(io.Discard, calls); err != nil {
			return Chains{}, err
		}
		c.Chains = Chains{}
		c.shown = o.Redact.Program(&c.program)
	}
	err := c.write(w, calls)
	return c.Chains, err
}

// chains writes the calls of a recording.
type chains struct {
	ChainOptions
	Chains
	tree    *statetree.Tree
	program dsl.Program
	shown   *dsl.Program // program, redacted
	sources map[int]*python.Source
	blocks  map[int]*python.Blocks
}

// calls returns the call events of the selected calls, in order.
func (c *chains) calls() (events []int) {
	for act := range c.tree.Activations() {
		call := c.tree.CallEvent(uint32(act))
		if call < 0 {
			continue
		}
		code := c.tree.Code(c.tree.CodeOf(uint32(act)))
		if c.Function != "" && (code.Name == c.Function || c.qualName(&code) == c.Function) || c.Function == "" && isFunction(&code) && c.outermost(call) {
			events = append(events, call)
		}
	}
	slices.Sort(events)
	return events
}

// isFunction reports whether a code object belongs to a def.
func isFunction(code *statetree.Code) bool { return code.Fast && !strings.HasPrefix(code.Name, "<") }

// qualName returns the qualified name of a code object. It takes the name from the source, because code
// objects of Python 3.9 and 3.10 do not have it.
func (c *chains) qualName(code *statetree.Code) string {
	if c.blocks[code.File] == nil {
		c.blocks[code.File] = python.ReadBlocks(c.tree.Files()[code.File].Source)
	}
	if own := c.blocks[code.File].Code(code.Name, code.FirstLine); own != nil {
		return own.QualName
	}
	return code.Name
}

// outermost reports whether no function of the program is below a call on the stack.
func (c *chains) outermost(call int) bool {
	stack := c.tree.Stack(call)
	return !slices.ContainsFunc(stack[:len(stack)-1], func(f statetree.StackFrame) bool {
		code := c.tree.Code(c.tree.CodeOf(f.Activation))
		return code.Fast
	})
}

// mostNames limits the number of functions that an error names.
const mostNames = 10

// others formats, for an error, the functions of which the recording has calls.
func (c *chains) others() string {
	var names []string
	for n := range c.tree.Codes() {
		if code := c.tree.Code(n); isFunction(&code) && len(names) < mostNames && !slices.Contains(names, c.qualName(&code)) {
			names = append(names, c.qualName(&code))
		}
	}
	if len(names) == 0 {
		return ", nor of any other function"
	}
	return "; it has calls of " + strings.Join(names, ", ")
}

func (c *chains) write(w io.Writer, calls []int) error {
	for k, call := range calls {
		if c.Written == c.Calls {
			c.Beyond = len(calls) - k
			break
		}
		if c.tree.Code(c.tree.At(call).Code).Generator {
			c.Generators++
			continue
		}
		one, err := c.chain(call)
		if err != nil {
			c.Odd++
			continue
		}
		if one == nil {
			c.TooLarge++
			continue
		}
		line, err := one.write()
		if err != nil {
			return err
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
		c.Written++
		if one.Cut != "" {
			c.Cut++
		}
	}
	return c.tree.Err()
}

// chain returns the chain of a call, or nil if the question alone is too large.
func (c *chains) chain(call int) (*Chain, error) {
	landings, cut := c.landings(call)
	stop, err := c.stop(call)
	if err != nil {
		return nil, err
	}
	program := c.visited(append([]int{call}, landings...))
	question := Question{Function: stop.Function, Call: c.callText(call, stop)}
	for _, f := range program.Files {
		question.Files = append(question.Files, QuestionFile{f.Name, strings.Join(f.Lines, "\n")})
	}
	w := &chainWriter{base: len(stop.Stack) - 1, shown: map[uint32][]dsl.Local{}, chain: Chain{
		ID: fmt.Sprintf("%s-%d", c.Program, call), Dialect: "nd/1", Predict: [][2]int{}, Changed: [][2]int{}, Actions: []string{}, Horizons: []int{},
		Source: ChainSource{c.Program, question.Call}, Question: question, Steps: []ChainStep{}, Cut: cut,
	}}
	if err := w.begin(program, stop); err != nil {
		return nil, err
	}
	if w.size > c.Bytes {
		return nil, nil
	}
	action := dsl.Action{Move: dsl.StepInto}
	if c.Over {
		action.Move = dsl.StepOver
	}
	for k, at := range landings {
		stop, err := c.stop(at)
		if err != nil {
			return nil, err
		}
		before := call
		if k > 0 {
			before = landings[k-1]
		}
		fits, err := w.append(at, at-before, action, stop, c.Bytes)
		if err != nil {
			return nil, err
		}
		if !fits {
			w.chain.Cut = fmt.Sprintf("the steps from event %d on are left out: a chain has %d bytes at most", at, c.Bytes)
			break
		}
	}
	out := &w.chain
	out.Text = w.node.Text()
	out.Answer, out.Raised = c.result(call)
	if !utf8.ValidString(out.Text) {
		return nil, fmt.Errorf("the text of %s is no UTF-8", out.ID)
	}
	return out, nil
}

// landings returns the events to which the moves from a call lead, up to its return. If they end earlier, cut says
// why.
func (c *chains) landings(call int) (events []int, cut string) {
	act := c.tree.At(call).Activation
	for at := call; ; {
		to := c.tree.Land(at, dsl.Action{Move: dsl.StepInto})
		if c.Over {
			to = c.tree.Land(at, dsl.Action{Move: dsl.StepOver})
		}
		if to.Boundary != statetree.NoBoundary || c.tree.At(to.Event).AfterGap {
			return events, fmt.Sprintf("what follows event %d of the call is not recorded", at)
		}
		if len(events) == c.Steps {
			return events, fmt.Sprintf("the steps from event %d on are left out: a chain has %d steps at most", to.Event, c.Steps)
		}
		at = to.Event
		events = append(events, at)
		if r := c.tree.At(at); r.Activation == act && r.Event == dsl.Return {
			return events, ""
		}
	}
}

// result returns the value that a call returned, or the exception that it raised. Both are nil if its end was not
// recorded.
func (c *chains) result(call int) (answer, raised *string) {
	act := c.tree.At(call).Activation
	_, last := c.tree.Lifetime(act)
	if last < 0 || c.tree.At(last).Event != dsl.Return {
		return nil, nil
	}
	if c.tree.At(last).Kind == dsl.Unwound {
		if at := c.tree.FatalException(act); at >= 0 {
			raised = c.Redact.Stop(&dsl.Stop{State: *c.tree.State(at)}).Value
		}
		return nil, raised
	}
	return c.Redact.Stop(&dsl.Stop{State: *c.tree.State(last)}).Value, nil
}

// stop returns the state of an event as nd/1 texts show it: with source, stack, and secrets hidden.
func (c *chains) stop(event int) (*dsl.Stop, error) {
	stop := &dsl.Stop{State: *c.tree.State(event)}
	lines := c.program.Files[c.tree.At(event).File].Lines
	if stop.Line < 1 || stop.Line > len(lines) {
		return nil, fmt.Errorf("event %d is on line %d of %s, which has %d lines", event, stop.Line, stop.File, len(lines))
	}
	stop.Source = lines[stop.Line-1]
	for _, f := range c.tree.Stack(event) {
		stop.Stack, stop.Activations = append(stop.Stack, f.Frame), append(stop.Activations, f.Activation)
	}
	return c.Redact.Stop(stop), nil
}

// visited returns a program with only the files that contain the lines of the events.
func (c *chains) visited(events []int) *dsl.Program {
	in := map[int]bool{}
	for _, i := range events {
		in[c.tree.At(i).File] = true
	}
	p := &dsl.Program{}
	for n, f := range c.shown.Files {
		if in[n] {
			p.Files = append(p.Files, f)
		}
	}
	return p
}
