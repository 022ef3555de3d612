package eval

import (
	"errors"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
)

// Mistake is a wrong answer to a question whose true answer is known.
type Mistake struct {
	By      string `json:"by"` // name of the model, or Computing
	Program string `json:"program"`
	Measure string `json:"measure"` // an action, MeasureRollout, MeasureOutput or MeasureInput
	At      int    `json:"at"`      // as in Item; in a free rollout, the number of the step
	// Question is the nd/1 text up to the requested action, without the program at its beginning (see
	// Result.Programs). The model may have received it in another format, and without old states if it
	// was too long.
	Question string `json:"question"`
	// Answer is the reply in nd/1. If the reply was not a state, Answer is "" and Raw is the
	// text that the model wrote.
	Answer string `json:"answer,omitempty"`
	Raw    string `json:"raw,omitempty"`
	Truth  string `json:"truth,omitempty"` // true reply in nd/1, if a state was requested
	// Value replaces Truth for outputs and inputs. It is the true output, or the benchmark's
	// input, which is one of several right ones.
	Value string `json:"value,omitempty"`
	// Computed reports that the answer was computed from the program's source. NoLocals reports that the
	// model's format has no locals, so that they were not compared.
	Computed bool `json:"computed,omitempty"`
	NoLocals bool `json:"no_locals,omitempty"`
}

// mistakes collects wrong answers, and the nd/1 texts of their programs by name.
type mistakes struct {
	list     []Mistake
	programs map[string]string
}

// state adds a wrong answer to the question for a state.
func (m *mistakes) state(x Mistake, q question, got answer) {
	x.At = q.place
	m.record(x, fault{q, got}, &q.truth)
}

// answer adds a wrong output or input.
func (m *mistakes) answer(x Mistake, wrong fault) { m.record(x, wrong, nil) }

// record adds a wrong answer, unless nd/1 cannot express its question, answer or truth.
func (m *mistakes) record(x Mistake, wrong fault, truth *dsl.Reply) {
	a := wrong.action
	if wrong.at == nil {
		return // nothing was asked
	}
	at, err := dsl.ND1.Encode(wrong.at.Trajectory())
	if err != nil {
		return
	}
	prompt, err := at.Prompt(a)
	if err != nil {
		return
	}
	if truth != nil {
		if x.Truth, err = at.Reply(a, *truth); err != nil {
			return
		}
	}
	if got := wrong.got; got.fate == answered {
		if x.Answer, err = at.Reply(a, got.step.Reply); err != nil {
			return
		}
	}
	context := contextOf(at)
	x.Question = strings.TrimPrefix(prompt, context)
	x.Raw, x.Computed, x.NoLocals = wrong.got.raw, wrong.got.computed, wrong.got.noLocals
	if m.programs == nil {
		m.programs = map[string]string{}
	}
	m.programs[x.Program] = context
	m.list = append(m.list, x)
}

// rollout adds the wrong answer that ended a free rollout, if wrong is not nil.
func (m *mistakes) rollout(by, program string, wrong *fault) {
	if wrong != nil {
		m.state(Mistake{By: by, Program: program, Measure: MeasureRollout}, wrong.question, wrong.got)
	}
}

// contextOf returns the nd/1 text of the program of a node.
func contextOf(at *dsl.Node) string {
	for at.Parent() != nil {
		at = at.Parent()
	}
	return at.Text()
}

// Asked parses the question, and returns its node and action. program is the nd/1 text of the program,
// from Result.Programs.
func (m *Mistake) Asked(program string) (*dsl.Node, dsl.Action, error) {
	at, asked, err := dsl.ND1.Read(program + m.Question)
	if err == nil && asked == nil {
		err = errors.New("its question has no action")
	}
	if err != nil {
		return nil, dsl.Action{}, err
	}
	return at, *asked, nil
}

// Replies parses the answer and the truth, and compares them as the measurement did. answer
// is nil if the model's reply was not a state. truth is nil if the question was about an
// output or input.
func (m *Mistake) Replies(at *dsl.Node, a dsl.Action) (answer, truth *dsl.Reply, verdicts compare.Verdicts, err error) {
	if m.Truth != "" {
		if truth, err = reply(at, a, m.Truth); err != nil {
			return nil, nil, nil, err
		}
	}
	if m.Answer != "" {
		if answer, err = reply(at, a, m.Answer); err != nil {
			return nil, nil, nil, err
		}
	}
	if answer == nil || truth == nil {
		return answer, truth, nil, nil
	}
	verdicts = compare.Compare(*answer, *truth, compare.All())
	if m.NoLocals {
		verdicts = verdicts.Untold()
	}
	return answer, truth, verdicts, nil
}

// reply parses the nd/1 text of a reply to an action.
func reply(at *dsl.Node, a dsl.Action, text string) (*dsl.Reply, error) {
	d := at.Decode(a)
	if err := d.Feed(text); err != nil {
		return nil, err
	}
	if err := d.Close(false); err != nil {
		return nil, err
	}
	step, done := d.Step()
	if !done || d.Read() != len(text) {
		return nil, errors.New("it is no reply")
	}
	return &step.Reply, nil
}
