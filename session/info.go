package session

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
)

// info describes the source of the states for info program.
func (s *Session) info() []string {
	if p, ok := s.program.reference().(*nav.Predicted); ok {
		return s.infoPredicted(p)
	}
	t, edge := s.program.rec.Tree(), s.program.rec.LiveEdge()
	var lines []string
	switch {
	case s.position.pos.End:
		lines = append(lines, fmt.Sprintf("Here: the end, after event %d", t.Len()-1))
	case s.position.live():
		lines = append(lines, fmt.Sprintf("Here: event %d, the live edge", s.position.pos.Event))
	default:
		lines = append(lines, fmt.Sprintf("Here: event %d of the recording", s.position.pos.Event))
	}
	if exit := s.program.rec.Exit(); exit != nil {
		lines = append(lines, strings.SplitN(s.position.endText(exit), "\n", 2)[0])
	} else if !edge.End {
		lines = append(lines, fmt.Sprintf("The program waits at event %d", edge.Event))
	}
	lines = append(lines, fmt.Sprintf("Recorded: %s, %s bytes", plural(t.Len(), "event", "events"), thousands(int(t.Bytes()))))
	if s.program.unrecorded {
		lines = append(lines, "Recording is off (record on)")
	}
	var where []string
	for _, edge := range s.program.recorded().Holes() {
		if edge >= t.Len() {
			where = append(where, "after event "+thousands(t.Len()-1))
		} else {
			where = append(where, "before event "+thousands(edge))
		}
	}
	if len(where) > 0 {
		lines = append(lines, "Unrecorded: "+shortList(where))
	}
	if b := s.program.beside(); b != nil {
		account := s.bills.account()
		lines = append(append(lines, "Model: "+modelAt(b.Model())), account.Lines()...)
		lines = append(lines, infoMeasured(b.Model(), b.Beside().Move)...)
		lines = append(lines, s.program.infoRedacted()...)
	}
	return lines
}

// infoRedacted describes how many literals and values were redacted for each model.
func (pr *program) infoRedacted() []string {
	var lines []string
	for _, n := range []*nav.Neural{pr.cfg.Neural, pr.cfg.Against} {
		if n == nil || n.Redact == nil {
			continue
		}
		literals, values := n.Redact.Told()
		lines = append(lines, fmt.Sprintf("Redacted for %s: %s of the source, %s",
			n.Called("the model"), plural(literals, "literal", "literals"), plural(values, "value", "values")))
	}
	return lines
}

// infoPredicted describes the models and their requests.
func (s *Session) infoPredicted(p *nav.Predicted) []string {
	named, lines := "Model: ", []string(nil)
	if b := s.program.beside(); b != nil { // p stands in for CPython, beside another model
		lines = append([]string{"Model: " + modelAt(b.Model())}, infoMeasured(b.Model(), b.Beside().Move)...)
		named = "Against: "
	}
	lines = append(append(lines, named+modelAt(p.Model())), infoMeasured(p.Model(), p.Mark(s.position.pos).Move)...)
	lines = append(lines, "Frames: "+strings.TrimPrefix(p.Python.Frames(), "the frames of "),
		fmt.Sprintf("Here: state %d of %d that were shown, %s", s.visits.tree.Index(s.visits.tree.Shown())+1, len(s.visits.tree.List()), p.Mark(s.position.pos).Origin))
	if asked, prompt, cached := p.Asked(); asked > 0 {
		line := plural(asked, "prediction", "predictions")
		if prompt > 0 {
			line += fmt.Sprintf(", %s tokens read, of them %s from the cache", thousands(prompt), thousands(cached))
		}
		lines = append(lines, "Asked: "+line)
	}
	if account := s.bills.account(); s.cfg.Against != nil {
		lines = append(lines, s.Bill()...)
	} else if more := account.Lines(); len(more) > 0 {
		lines = append(lines, more[1:]...) // without the first line, whose tokens count across restarts
	}
	lines = append(lines, fmt.Sprintf("Text: %s bytes", thousands(p.TextLen(s.position.pos.Event))))
	lines = append(lines, s.program.infoRedacted()...)
	var names []string
	for _, f := range p.States().Files() {
		names = append(names, f.Name)
	}
	return append(lines, "Files: "+strings.Join(names, ", "))
}

// infoMeasured returns a model's published accuracy for the move that led here, or for step_into if
// no move did.
func infoMeasured(m backend.Model, move dsl.Move) []string {
	text := cmp.Or(score.MeasuredLong(m.Measured, move), score.MeasuredLong(m.Measured, dsl.StepInto))
	if text == "" {
		return nil
	}
	return []string{"Measured: " + text}
}

// modelAt returns a model's name, address and dialect.
func modelAt(m backend.Model) string {
	name := cmp.Or(m.Name, "a model without a name")
	if m.Place != "" {
		name += " at " + m.Place
	}
	if m.Dialect != "" {
		name += ", asked by " + m.Dialect
	}
	return name
}

// shortList joins the first items of a list and appends how many more there are.
func shortList(items []string) string {
	const most = 5
	text := ""
	for i, item := range items {
		if i == most {
			return text + fmt.Sprintf(" and %d more", len(items)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += item
	}
	return text
}

// Info shows information about one of Topics.
type Info struct {
	Topic string `json:"topic"`
}

func (c Info) String() string { return words("info", c.Topic) }

func (c Info) run(ctx context.Context, s *Session) error {
	switch c.Topic {
	case "breakpoints":
		if len(s.breakpoints.table.List) == 0 {
			s.draft.say("No breakpoints.")
		}
		s.breakpoints.list(ctx)
		return nil
	case "program":
		return s.infoProgram()
	case "children":
		return s.branching.infoChildren()
	case "threads":
		return s.values.infoThreads(ctx)
	}
	return errorf(BadArgument, "There is nothing to tell about %s", c.Topic)
}

// Topics returns the arguments that info accepts.
func Topics() []string { return []string{"breakpoints", "children", "program", "threads"} }

func (s *Session) infoProgram() error {
	lines := []string{"Program: " + escape.Line(s.program.id)}
	if args := s.cfg.Options.Args; len(args) > 0 {
		lines = append(lines, fmt.Sprintf("Arguments: %q", args))
	}
	s.draft.say(strings.Join(append(lines, s.info()...), "\n"))
	return nil
}
