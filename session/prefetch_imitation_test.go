package session_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// endless is a program that the imitation below knows.
const endless = `def f(x):
    y = x + 1
    return y

total = 0
while True:
    total += 1
    a = f(total)
    b = a * 2
    c = f(b)
    total += c
`

// imitation is a model that knows endless and replies after a delay. It is safe for
// concurrent use, like any predictor.
type imitation struct {
	latency time.Duration
	streams bool                                // shows a part after half of the time
	leads   func(*dsl.Stop, dsl.Move) *dsl.Stop // its knowledge; nil means endlessly

	mu        sync.Mutex
	asked     []dsl.Action
	options   []backend.Options
	alone     []bool
	failing   bool
	invalid   bool                // its replies are not states
	discarded []backend.Discarded // with each answer, or with an invalid one
	warning   string              // with each answer
	now       int                 // current requests
	most      int                 // maximum of concurrent requests
	ended     int                 // number of requests cancelled by their contexts
	untold    bool
	declines  bool
	forwards  bool // it does not support backward moves
}

func (m *imitation) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	m.mu.Lock()
	m.asked, m.options, m.alone = append(m.asked, q.Action), append(m.options, q.Options), append(m.alone, q.Alone)
	m.now++
	m.most = max(m.most, m.now)
	m.mu.Unlock()
	began := time.Now()
	err := m.wait(ctx, q, show)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now--
	if err != nil {
		m.ended++
		return nil, backend.TakeDown(nil, err, m.discarded)
	}
	if m.failing {
		return nil, &backend.Error{Kind: backend.Unreachable, Message: "nobody is there"}
	}
	if m.invalid {
		return nil, &backend.Error{Kind: backend.NoState, Message: "that is no state", Raw: "well", Discarded: m.discarded}
	}
	reply := dsl.Reply{Outcome: dsl.Unknown}
	if !m.declines {
		reply = dsl.Reply{Outcome: dsl.Landed, Stop: m.leading()(q.At.Current(), q.Action.Move)}
	}
	raw, err := q.At.Reply(q.Action, reply)
	if err != nil {
		return nil, &backend.Error{Kind: backend.Unwritable, Message: err.Error(), Err: err}
	}
	d := q.At.Decode(q.Action)
	if err := d.Feed(raw); err != nil {
		return nil, err
	}
	step, _ := d.Step()
	made := &backend.Prediction{Step: step, Raw: raw, Usage: backend.Usage{Prompt: 100, Cached: 90, Completion: 20}, Took: time.Since(began), Discarded: m.discarded}
	if m.untold {
		made.Usage = backend.Usage{Prompt: -1, Cached: -1, Completion: -1}
	}
	if m.warning != "" {
		made.Warnings = []string{m.warning}
	}
	return made, nil
}

func (m *imitation) leading() func(*dsl.Stop, dsl.Move) *dsl.Stop {
	if m.leads != nil {
		return m.leads
	}
	return endlessly
}

// wait waits for the time of an answer.
func (m *imitation) wait(ctx context.Context, q backend.Question, show func(backend.Update)) error {
	for part := range 2 {
		select {
		case <-time.After(m.latency / 2):
		case <-ctx.Done():
			return ctx.Err()
		}
		if m.streams && part == 0 && show != nil {
			show(backend.Update{Raw: "half of " + q.Action.String()})
		}
	}
	return nil
}

// questions lists the requests so far.
func (m *imitation) questions() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	words := make([]string, len(m.asked))
	for i, a := range m.asked {
		words[i] = a.String()
	}
	return strings.Join(words, " ")
}

// wanted lists the requests so far that allowed only one state.
func (m *imitation) wanted() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	words := make([]string, len(m.asked))
	for i, a := range m.asked {
		if words[i] = a.String(); m.alone[i] {
			words[i] += " alone"
		}
	}
	return strings.Join(words, ", ")
}

// underWay returns the number of current requests.
func (m *imitation) underWay() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// is changes the model's behaviour from now on.
func (m *imitation) is(otherwise func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	otherwise()
}

func (m *imitation) Fill(context.Context, *dsl.Node, *dsl.Stop, []int, backend.Options) (*backend.Filled, error) {
	return nil, &backend.Error{Kind: backend.Unwritable, Message: "nothing is filled in here"}
}

func (m *imitation) Model() backend.Model {
	return backend.Model{Name: "imitation", Place: "http://127.0.0.1:8000/v1", Dialect: "nd/1", Forwards: m.forwards}
}

func (m *imitation) Close() error { return nil }

// endlessly returns the state after a move in endless.
func endlessly(at *dsl.Stop, m dsl.Move) *dsl.Stop {
	inF, caller := at.Depth > 0, at.Stack[0].Line
	calls := !inF && (at.Line == 8 || at.Line == 10)
	called := !inF && (at.Line == 9 || at.Line == 11)
	switch {
	case calls && m == dsl.StepInto:
		return inFOf(dsl.Call, 1, at.Line)
	case called && m == dsl.InvStepInto:
		return inFOf(dsl.Return, 3, at.Line-1)
	case inF && at.Event == dsl.Call && m.Inverse():
		return inModule(caller)
	case inF && at.Event == dsl.Return && !m.Inverse():
		return inModule(caller + 1)
	case inF && !m.Inverse():
		return inFOf(map[int]dsl.Event{1: dsl.Line, 2: dsl.Line, 3: dsl.Return}[at.Line], min(at.Line+1, 3), caller)
	case inF && at.Event == dsl.Return:
		return inFOf(dsl.Line, 3, caller)
	case inF:
		return inFOf(map[int]dsl.Event{2: dsl.Call, 3: dsl.Line}[at.Line], at.Line-1, caller)
	case m.Inverse() && at.Line == 6, !m.Inverse() && at.Line == 10:
		return inModule(11)
	case m.Inverse():
		return inModule(at.Line - 1)
	case at.Line == 11:
		return inModule(6)
	}
	return inModule(at.Line + 1)
}

func inModule(line int) *dsl.Stop {
	st := dsl.State{Event: dsl.Line, File: "prog.py", Line: line, Source: lineOf(endless, line), Function: "<module>", Locals: []dsl.Local{{Name: "total", Value: strconv.Itoa(line)}}}
	return &dsl.Stop{State: st, Stack: []dsl.Frame{{Function: "<module>", File: "prog.py", Line: line}}}
}

func inFOf(e dsl.Event, line, caller int) *dsl.Stop {
	st := dsl.State{
		Event: e, File: "prog.py", Line: line, Source: lineOf(endless, line), Function: "f", Depth: 1,
		Locals: []dsl.Local{{Name: "x", Value: "1"}},
	}
	if line == 3 {
		st.Locals = append(st.Locals, dsl.Local{Name: "y", Value: "2"})
	}
	if e == dsl.Return {
		two := "2"
		st.Kind, st.Value = dsl.Returned, &two
	}
	return &dsl.Stop{State: st, Stack: []dsl.Frame{{Function: "<module>", File: "prog.py", Line: caller}, {Function: "f", File: "prog.py", Line: line}}}
}

func lineOf(source string, line int) string { return strings.Split(source, "\n")[line-1] }

// foreseeing opens a session of endless with prefetching. The test closes it, because with
// a fake clock all requests must have ended when the test ends.
func foreseeing(t *testing.T, m *imitation, f nav.Foresight, change ...func(*session.Config)) *command.Interpreter {
	t.Helper()
	c := session.Config{
		Options: trace.Options{Script: scriptOf(t, endless)},
		Neural:  &nav.Neural{Predictor: m, Prefetch: f},
	}
	for _, f := range change {
		f(&c)
	}
	s := unclosed(t, c)
	s.First(context.Background())
	return s
}

// unclosed returns a session that the test closes.
func unclosed(t *testing.T, c session.Config) *command.Interpreter {
	t.Helper()
	s, err := interpreted(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
