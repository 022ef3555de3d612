package rollout

import (
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/python"
)

// Asked is a parsed prompt: a trace, frame by frame. Forced reports whether the prompt ends with the
// event of the next frame.
type Asked struct {
	First  *Trail
	Frames []cwm.Frame // the frames after the first one
	Forced bool
}

// Read parses a prompt in the trace format. The error is a *dsl.DecodeError or an error of Begin.
func Read(text string) (*Asked, error) {
	text = cwm.Beginning + strings.TrimPrefix(text, cwm.Beginning)
	a := &Asked{}
	if rest, ok := strings.CutSuffix(text, cwm.StopOfFrame+cwm.ForcedReturn); ok {
		text, a.Forced = rest+cwm.StopOfFrame, true
	}
	trace, err := cwm.Read(text)
	if err != nil {
		return nil, err
	}
	first := trace.Frames[0]
	p := &dsl.Program{Files: []dsl.SourceFile{{Name: "program.py", Lines: dsl.SplitLines(trace.Source)}}}
	stop := &dsl.Stop{State: dsl.State{Event: first.Event, Function: "<module>", Locals: first.Locals, Line: trace.Start, Source: first.Source, File: p.Files[0].Name}}
	if stop.Event == dsl.Call {
		stop.Function = ""
		for _, c := range python.ReadFlow([]byte(trace.Source)).At(trace.Start) {
			stop.Function = c.Name
			break
		}
	}
	stop.Stack = []dsl.Frame{{Function: stop.Function, File: stop.File, Line: stop.Line}}
	node, err := dsl.ND1.Begin(p)
	if err != nil {
		return nil, err
	}
	if node, err = node.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}}); err != nil {
		return nil, err
	}
	a.First, err = Begin(node)
	a.Frames = trace.Frames[1:]
	return a, err
}

// Forced reports whether the event of frame f, which follows t in a prompt, was forced. That is the case
// if f is a return directly after its call, without a line of the function.
func (t *Trail) Forced(f cwm.Frame) bool {
	return f.Event == dsl.Return && t.own.event == dsl.Call && !t.own.resumed && (t.own.code == nil || !t.own.code.Plain)
}

// Take returns the trail after the known next state stop, and the text that a model should write for it.
func (t *Trail) Take(stop *dsl.Stop, forced bool) (next *Trail, text string, err error) {
	own := *stop
	own.Activations, own.Whole = nil, false
	if next, err = t.append(&own, forced); err != nil {
		return nil, "", err
	}
	if forced {
		return next, strings.TrimPrefix(next.added, cwm.ForcedReturn), nil
	}
	return next, next.added, nil
}
