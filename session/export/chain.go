package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Chain is a recorded call as a chain of thought. It asks what the call returns (Question), lists the
// recorded events of the call (Steps), and gives the returned value (Answer). Text contains the same as
// an nd/1 text that begins at the call; npdb eval cruxeval requests such a text step by step. The fields
// from ID to Source are the same as in a trajectory of npdb dataset.
type Chain struct {
	ID       string      `json:"id"` // program and event: prog.py-17
	Dialect  string      `json:"dialect"`
	Text     string      `json:"text"`
	Predict  [][2]int    `json:"predict"`  // byte ranges of Text that a model must predict
	Changed  [][2]int    `json:"changed"`  // parts of Predict that cannot be copied from the text before
	Actions  []string    `json:"actions"`  // one for each range in Predict
	Horizons []int       `json:"horizons"` // number of events that each action passes
	Source   ChainSource `json:"source"`

	Question Question    `json:"question"`
	Steps    []ChainStep `json:"steps"`
	Answer   *string     `json:"answer"`           // the returned value; nil if the call did not return
	Raised   *string     `json:"raised,omitempty"` // the exception with which the call ended
	// Cut says why the last steps are missing; "" if none are. Text ends at the same event as Steps.
	Cut string `json:"cut,omitempty"`
}

// ChainSource names the recording of a chain.
type ChainSource struct {
	Program string `json:"program"`
	Entry   string `json:"entry"` // the call, as in Question.Call
}

// Question asks for the value of a call.
type Question struct {
	Files    []QuestionFile `json:"files"` // the files that contain the lines of the steps
	Function string         `json:"function"`
	Call     string         `json:"call"` // the call as an expression, with the recorded arguments: f(3, ['a'])
}

// QuestionFile is a source file.
type QuestionFile struct {
	Name   string `json:"name"`
	Source string `json:"source"`
}

// ChainStep is an event of a call, or of a call below it.
type ChainStep struct {
	Event    int    `json:"event"` // number in the recording
	Kind     string `json:"kind"`  // call, line, return, yield, unwind or exception
	File     string `json:"file"`
	Line     int    `json:"line"`
	Source   string `json:"source"`
	Function string `json:"function"`
	Depth    int    `json:"depth"` // 0 in the chain's own call, 1 in a call that it makes
	// Changed holds the locals that are new or have another value than at the previous step of the same
	// activation. Gone holds the names of locals that have no value any more.
	Changed namedTexts `json:"changed"`
	Gone    []string   `json:"gone,omitempty"`
	Value   *string    `json:"value,omitempty"` // the returned or yielded value, or the raised exception
}

// namedTexts encodes as a JSON object that keeps the order of the names.
type namedTexts []dsl.Local

// MarshalJSON writes names and values as an object, in their order.
func (t namedTexts) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, l := range t {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(l.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(l.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// chainWriter writes the steps of one call.
type chainWriter struct {
	chain Chain
	node  *dsl.Node
	base  int // number of frames below the call
	shown map[uint32][]dsl.Local
	size  int
}

// begin writes the beginning of the text: the program and the state at the call.
func (w *chainWriter) begin(program *dsl.Program, call *dsl.Stop) error {
	at, err := dsl.ND1.Begin(program)
	if err == nil {
		at, err = at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: w.inside(call)}})
	}
	if err != nil {
		return err
	}
	w.node, w.size = at, at.Len()
	for _, f := range w.chain.Question.Files {
		w.size += len(f.Source)
	}
	w.note(call)
	return nil
}

// inside returns the state as a recording that begins with the call would have it: without the frames below.
func (w *chainWriter) inside(stop *dsl.Stop) *dsl.Stop {
	in := *stop
	in.Depth -= w.base
	in.Stack, in.Activations = in.Stack[w.base:], in.Activations[w.base:]
	return &in
}

// append adds the state that an action led to. It reports whether the chain has room for it.
func (w *chainWriter) append(event, passed int, a dsl.Action, stop *dsl.Stop, most int) (fits bool, err error) {
	in := w.inside(stop)
	next, parts, err := w.node.AppendParts(dsl.Step{Action: a, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: in}})
	if err != nil {
		return false, err
	}
	s := ChainStep{
		Event: event, Kind: kindOf(&stop.State), File: stop.File, Line: stop.Line, Source: stop.Source, Function: stop.Function,
		Depth: in.Depth, Value: stop.Value,
	}
	s.Changed, s.Gone = changes(w.shown[top(stop)], visible(stop.Locals))
	raw, err := json.Marshal(s)
	if err != nil {
		return false, err
	}
	size := w.size + len(next.Added()) + len(raw)
	if size > most {
		return false, nil
	}
	from := w.node.Len() // the spans in parts count from the beginning of the added text
	w.node, w.size = next, size
	w.note(stop)
	c := &w.chain
	c.Steps = append(c.Steps, s)
	c.Actions, c.Horizons = append(c.Actions, a.String()), append(c.Horizons, passed)
	c.Predict = append(c.Predict, [2]int{from + parts.Reply.From, from + parts.Reply.To})
	for _, p := range parts.Worked {
		c.Changed = append(c.Changed, [2]int{from + p.From, from + p.To})
	}
	return true, nil
}

// note remembers the locals that the latest step of an activation showed.
func (w *chainWriter) note(stop *dsl.Stop) { w.shown[top(stop)] = visible(stop.Locals) }

func top(stop *dsl.Stop) uint32 { return stop.Activations[len(stop.Activations)-1] }

// visible returns the locals that are not hidden.
func visible(locals []dsl.Local) []dsl.Local {
	return slices.DeleteFunc(slices.Clone(locals), func(l dsl.Local) bool { return l.Hidden })
}

// changes returns the locals that differ between two steps.
func changes(before, after []dsl.Local) (changed namedTexts, gone []string) {
	changed = namedTexts{}
	was, left := map[string]string{}, map[string]bool{}
	for _, l := range before {
		was[l.Name] = l.Value
	}
	for _, l := range after {
		if old, ok := was[l.Name]; !ok || old != l.Value {
			changed = append(changed, dsl.Local{Name: l.Name, Value: l.Value})
		}
		left[l.Name] = true
	}
	for _, l := range before {
		if !left[l.Name] {
			gone = append(gone, l.Name)
		}
	}
	return changed, gone
}

// kindOf returns the name of an event; for a return it returns the kind of return.
func kindOf(s *dsl.State) string {
	if s.Event == dsl.Return {
		return s.Kind.String()
	}
	return s.Event.String()
}

// write encodes a chain as one line.
func (c *Chain) write() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil {
		return nil, fmt.Errorf("%s: %w", c.ID, err)
	}
	return b.Bytes(), nil
}
