//go:build unix

package rollout

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/trace/statetree"
)

// mostEvents is the largest number of events of a program in this test.
const mostEvents = 600

// recordings returns recordings of the tracer's test programs and of the examples by name, of those that
// have one file and run to their end.
func recordings(t *testing.T) map[string]*recorder.Recording {
	t.Helper()
	w, err := recorder.Start(t.Context(), recorder.Config{Python: pythons.Any(t), Contain: recorder.ContainLimits})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	all := map[string]*recorder.Recording{}
	for _, pattern := range []string{"../../trace/testdata/programs/*.py", "../../examples/*.py"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r, err := w.Record(t.Context(), recorder.Job{Program: &recorder.Program{Name: filepath.Base(path), Source: string(source)}})
			if failed := (*recorder.Failure)(nil); errors.As(err, &failed) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if n := r.Tree.Len(); n > 1 && n < mostEvents {
				all[filepath.Base(path)] = r
			}
		}
	}
	return all
}

// perfect is a model that knows the recorded states and writes their frames.
type perfect struct {
	t    *testing.T
	tree *statetree.Tree
	p    *dsl.Program
	rng  *rand.Rand

	heard Heard
	wrote strings.Builder
}

func (m *perfect) stop(i int) *dsl.Stop {
	stop := &dsl.Stop{State: *m.tree.State(i)}
	stop.Source = m.p.Files[0].Lines[stop.Line-1]
	for _, f := range m.tree.Stack(i) {
		stop.Stack = append(stop.Stack, f.Frame)
	}
	return stop
}

// returns returns the return event of the call at event i, or -1 if there is none.
func (m *perfect) returns(i int) int {
	for end := i + 1; end < m.tree.Len(); end++ {
		if at := m.tree.At(end); at.Activation == m.tree.At(i).Activation && at.Event == dsl.Return {
			return end
		}
	}
	return -1
}

// says writes the frame of event i in pieces, and returns the trail after it has been read.
func (m *perfect) says(t *Trail, i int, forced bool) (*Trail, error) {
	action := dsl.Action{Move: dsl.StepInto}
	if forced {
		action.Move = dsl.StepReturn
	}
	stop := m.stop(i)
	text, parts, err := t.writer.Clone().Append(nil, dsl.Step{Action: action, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
	if err != nil {
		return nil, err
	}
	reply := string(text[parts.Reply.From:parts.Reply.To])
	d := t.Decode(forced)
	for reply != "" {
		n := min(1+m.rng.IntN(40), len(reply))
		frames, _, err := d.Feed(reply[:n])
		if err != nil {
			m.t.Fatalf("%q is no frame: %v", text, err)
		}
		reply = reply[n:]
		if len(frames) > 0 {
			if reply != "" || len(frames) > 1 {
				m.t.Fatalf("%q is %d frames, before %q", text, len(frames), reply)
			}
			next, err := t.Follow(frames[0], forced)
			if err == nil {
				m.heard.Add(next, frames[0].Told, m.wrote.Len())
				m.wrote.Write(text[parts.Reply.From:parts.Reply.To])
			}
			return next, err
		}
	}
	m.t.Fatalf("%q is no whole frame", text)
	return nil, nil
}

// told describes how a state that was read from a trace differs from the recorded one, "" if it does
// not. It ignores locals of returns and exceptions, which a trace does not contain.
func told(got, want *dsl.Stop) string {
	shown := slices.DeleteFunc(slices.Clone(want.Locals), func(l dsl.Local) bool { return l.Hidden })
	value := func(v *string) string {
		if v == nil {
			return "none"
		}
		return *v
	}
	switch {
	case got.Event != want.Event || got.Depth != want.Depth:
		return fmt.Sprintf("%s at depth %d, not %s at %d", got.Event, got.Depth, want.Event, want.Depth)
	case got.Line != want.Line:
		return fmt.Sprintf("line %d, not %d", got.Line, want.Line)
	case got.Function != want.Function:
		return fmt.Sprintf("function %s, not %s", got.Function, want.Function)
	case got.Kind != want.Kind:
		return fmt.Sprintf("%s, not %s", got.Kind, want.Kind)
	case value(got.Value) != value(want.Value):
		return fmt.Sprintf("value %s, not %s", value(got.Value), value(want.Value))
	case got.Event == dsl.Call || got.Event == dsl.Line:
		if !slices.Equal(got.Locals, shown) && len(got.Locals)+len(shown) > 0 {
			return fmt.Sprintf("locals %v, not %v", got.Locals, shown)
		}
	}
	return ""
}

var digits = regexp.MustCompile(`\d+`)

// TestRecorded checks that the frames of a perfect model are read as the recorded states, and that from
// each event each action lands where the table of moves says.
func TestRecorded(t *testing.T) {
	all := recordings(t)
	if len(all) < 60 {
		t.Fatalf("only %d programs were recorded", len(all))
	}
	states, wrong, doubted, unsayable := 0, 0, 0, map[string]int{}
	moves, astray := 0, 0
	for name, r := range all {
		m := &perfect{t: t, tree: r.Tree, p: r.Text(), rng: rand.New(rand.NewPCG(1, uint64(len(name))))}
		trails, why := m.all(&states, &wrong, &doubted, name)
		if why != "" {
			unsayable[digits.ReplaceAllString(why, "N")]++
		}
		if len(trails) == 0 {
			continue
		}
		for range 60 {
			i := m.rng.IntN(len(trails))
			a := dsl.Action{Move: dsl.StepInto + dsl.Move(m.rng.IntN(int(dsl.StepFunction)))}
			if a.Move == dsl.Breakpoint {
				a.Lines = []dsl.Location{{Line: m.tree.At(m.rng.IntN(m.tree.Len())).Line}}
			}
			if m.walk(r, trails, i, a, name) {
				moves++
			} else {
				astray++
			}
		}
	}
	t.Logf("%d states of %d programs, %d told otherwise, %d in doubt; %d moves land right, %d do not; unsayable: %v", states, len(all), wrong, doubted, moves, astray, unsayable)
	if states < 2000 || wrong*100 > states || moves < 2000 || astray*50 > moves {
		t.Errorf("%d states, %d told otherwise; %d moves, %d astray", states, wrong, moves, astray)
	}
}

// all returns the trails up to each event, and why there are no more: "", or why a trace cannot express
// a state.
func (m *perfect) all(states, wrong, doubted *int, name string) (trails []*Trail, why string) {
	node, err := dsl.ND1.Begin(m.p)
	if err != nil {
		return nil, err.Error()
	}
	if node, err = node.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: m.stop(0)}}); err != nil {
		return nil, err.Error()
	}
	at, err := Begin(node)
	if err != nil {
		return nil, err.Error()
	}
	trails = []*Trail{at}
	for i := 1; i < m.tree.Len(); i++ {
		next, err := m.says(at, i, false)
		var unsayable *cwm.UnsayableError
		if errors.As(err, &unsayable) {
			return trails, unsayable.Error()
		}
		*states++
		if next != nil && next.Doubt() != "" {
			*doubted++
		}
		difference := ""
		if err != nil {
			difference = err.Error()
		} else {
			difference = told(next.State(), m.stop(i))
		}
		if difference != "" {
			*wrong++
			m.t.Logf("%s, event %d: %s (doubt: %v)", name, i, difference, next != nil && next.Doubt() != "")
			// Continue from the recorded state.
			if next, err = at.append(m.stop(i), false); err != nil {
				return trails, err.Error()
			}
		}
		at = next
		trails = append(trails, at)
	}
	return trails, ""
}

// walk reports whether an action from event i lands where the recording says.
func (m *perfect) walk(r *recorder.Recording, trails []*Trail, i int, a dsl.Action, name string) bool {
	c, err := Set(trails[i], a)
	if err != nil {
		m.t.Fatal(err)
	}
	at, event := trails[i], i
	m.heard = Heard{}
	m.wrote.Reset()
	for {
		ask, reply, landed := c.Look(at)
		if reply != nil {
			if reply.Outcome == dsl.Landed && at != trails[i] && at == landed {
				m.tells(m.heard.Told(at, landed, *reply), landed, name)
			}
			why := m.compare(r, i, a, reply, landed)
			if why != "" {
				m.t.Logf("%s, %s from event %d: %s", name, a, i, why)
			}
			return why == ""
		}
		next := event + 1
		if ask.Forced {
			if next = m.returns(event); next < 0 {
				return true // no event of the recording shows the return
			}
		}
		if next >= m.tree.Len() {
			return true // the recording ends before the outermost return
		}
		if at, err = m.says(at, next, ask.Forced); err != nil {
			return true // the method all counts this error
		}
		event = next
	}
}

func (m *perfect) compare(r *recorder.Recording, i int, a dsl.Action, reply *dsl.Reply, landed *Trail) string {
	out := m.tree.Land(i, a)
	switch {
	case out.Boundary == statetree.AtEnd && r.Fatal < 0:
		if reply.Outcome != dsl.Ended || reply.Exit.Code != r.Exit.Code {
			return fmt.Sprintf("%v, want the end %+v", reply, r.Exit)
		}
		return ""
	case out.Boundary == statetree.AtEnd:
		out.Event = r.Fatal
		if !landed.mortem {
			return fmt.Sprintf("%v is not where the program dies", reply.Stop)
		}
	}
	if reply.Outcome != dsl.Landed {
		return fmt.Sprintf("the end %+v, want event %d", reply.Exit, out.Event)
	}
	if why := told(reply.Stop, m.stop(out.Event)); why != "" {
		return why + ": " + strings.TrimSpace(reply.Stop.Source)
	}
	return ""
}
