package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// Candidates lists the states to which the backward move that led here may lead. With Take it shows
// the candidate with that number instead, with By the candidate By places after the shown one. With
// More the model draws that many further answers first.
type Candidates struct {
	Take int `json:"take,omitempty"`
	By   int `json:"by,omitempty"`
	More int `json:"more,omitempty"`
}

func (c Candidates) String() string {
	switch {
	case c.Take > 0:
		return words("candidates", c.Take)
	case c.By > 0:
		return "candidates next"
	case c.By < 0:
		return "candidates previous"
	case c.More > 0:
		return words("candidates", fmt.Sprintf("+%d", c.More))
	}
	return "candidates"
}

func (c Candidates) run(ctx context.Context, s *Session) error {
	p, err := s.program.predicted("candidates")
	if err != nil {
		return err
	}
	at := s.position.pos.Event
	of, shown, ok := p.Candidates(at)
	if !ok {
		return errorf(NotFound, "This state has no candidates: only a backward move that asks the model has them (%s, %s or %s)",
			s.draft.key("reverse-step"), s.draft.key("reverse-next"), s.draft.key("reverse-finish"))
	}
	take := c.Take - 1
	switch {
	case c.More > 0:
		fresh, err := p.Draw(ctx, at, c.More)
		if err != nil {
			return err
		}
		of, shown, _ = p.Candidates(at)
		s.draft.sayf("%s more: %s.", plural(c.More, "answer", "answers"), plural(fresh, "new candidate", "new candidates"))
		s.draft.say(s.visits.candidatesText(of, shown))
		return nil
	case c.By != 0:
		if take = shown + c.By; take < 0 || take >= len(of.List) {
			return errorf(NotFound, "There is no candidate %s this one: it is number %d of %d (%s draws more)",
				map[bool]string{true: "after", false: "before"}[c.By > 0], shown+1, len(of.List), s.draft.key("candidates +5"))
		}
	case c.Take == 0:
		s.draft.say(s.visits.candidatesText(of, shown))
		return nil
	}
	return s.take(p, at, take)
}

// candidates returns the candidates of the backward move that led to a position, and the index of the
// shown one; nil if no model was asked backwards.
func (pr *program) candidates(pos trace.Position) (of *backend.Candidates, shown int) {
	if p, ok := pr.source().(*nav.Predicted); ok {
		of, shown, _ = p.Candidates(pos.Event)
	}
	return of, shown
}

// take shows another candidate of the backward move that led to state at. It is a branch beside the
// shown one.
func (s *Session) take(p *nav.Predicted, at, candidate int) error {
	of, shown, _ := p.Candidates(at)
	switch {
	case candidate < 0 || candidate >= len(of.List):
		return errorf(NotFound, "There is no candidate %d; there are %d (%s lists them)", candidate+1, len(of.List), s.draft.key("candidates"))
	case candidate == shown:
		return errorf(BadArgument, "Candidate %d is the one shown", candidate+1)
	}
	before, action := p.AskedFrom(at)
	l, err := p.Take(at, candidate)
	if err != nil {
		return err
	}
	for v := s.visits.current(); v != nil; v = s.visits.tree.Visit(v.Parent) {
		if v.Position == before {
			s.visits.stand(v)
			break
		}
	}
	s.arrive(l, &action)
	return nil
}

// candidatesText lists candidates, one a line: how likely each is, whether it leads to the state that
// it was inferred from, and what differs from the shown one.
func (vs *visits) candidatesText(of *backend.Candidates, shown int) string {
	drawn := 0
	for _, c := range of.List {
		if c.Drawn > 0 {
			drawn++
		}
	}
	head := fmt.Sprintf("%s gave %s", plural(of.Answers, "answer", "answers"), plural(drawn, "past", "different pasts"))
	if of.Search != "" {
		head += "; " + of.Search
	}
	lines := []string{head + ":"}
	for i, c := range of.List {
		mark := " "
		if i == shown {
			mark = ">"
		}
		lines = append(lines, escape.Line(fmt.Sprintf("%s %d  %s  %s", mark, i+1, OddsText(c, of.Answers), VerdictText(c.Verification))))
		text := stateText(c.Reply)
		if i != shown {
			text = pastDifference(c.Reply, of.List[shown].Reply)
		}
		lines = append(lines, escape.Line("     "+text)) // a repr may have line ends
	}
	return strings.Join(lines, "\n")
}

// OddsText describes how often a candidate was drawn and how likely it is.
func OddsText(c backend.Candidate, answers int) string {
	switch {
	case c.Drawn == 0:
		return "found by search"
	case c.Told && c.Probability != nil:
		return fmt.Sprintf("%.2f, %d of %d", *c.Probability, c.Drawn, answers)
	}
	return fmt.Sprintf("%d of %d", c.Drawn, answers)
}

// VerdictWords names the verdict of a verification. What a model predicted is not called a fact.
func VerdictWords(v backend.Verification) string {
	switch {
	case v.By == 0:
		return "not verified"
	case v.Verdict == backend.CannotRun:
		return "cannot be run"
	case v.By == backend.ByModel && v.Verdict == backend.LeadsHere:
		return "may lead here"
	case v.By == backend.ByModel && v.Verdict == backend.LeadsElsewhere:
		return "may lead elsewhere"
	}
	return strings.ReplaceAll(v.Verdict.String(), "_", " ")
}

// VerdictText names the verdict of a verification, its means, and what differs or is not known.
func VerdictText(v backend.Verification) string {
	by := map[backend.Means]string{backend.ByText: "by the text", backend.ByRun: "by running it", backend.ByModel: "as the model predicts"}[v.By]
	words := VerdictWords(v)
	switch {
	case v.By == 0 && v.Why == "":
		return words
	case v.By != 0 && v.Verdict == backend.LeadsHere:
		return words + ", " + by
	case v.By != 0 && v.Verdict == backend.LeadsElsewhere:
		return words + ", " + by + ": " + v.Difference
	}
	return words + ": " + v.Why
}

// stateText describes a state in one line: its place and its locals.
func stateText(r dsl.Reply) string {
	if r.Stop == nil {
		return r.Outcome.String()
	}
	var parts []string
	for _, l := range r.Stop.Locals {
		if !l.Hidden {
			parts = append(parts, l.Name+" = "+shorten(l.Value, valueChanged))
		}
	}
	return strings.TrimSuffix(placeText(r.Stop)+"  "+strings.Join(parts, ", "), "  ")
}

// otherPlace describes a state, with its line if the description of its place is that of the shown one.
func otherPlace(c, shown dsl.Reply) string {
	text := stateText(c)
	if c.Stop != nil && shown.Stop != nil && c.Stop.Line != shown.Stop.Line && placeText(c.Stop) == placeText(shown.Stop) {
		return fmt.Sprintf("line %d, %s", c.Stop.Line, text)
	}
	return text
}

// placeText describes where a state is: "call of f", "line 3".
func placeText(s *dsl.Stop) string {
	switch s.Event {
	case dsl.Call:
		return "call of " + s.Function
	case dsl.Return:
		return "return of " + s.Function
	}
	return fmt.Sprintf("line %d", s.Line)
}

// pastDifference describes what a candidate has that differs from the shown one.
func pastDifference(c, shown dsl.Reply) string {
	verdicts := compare.Compare(c, shown, compare.All())
	if c.Stop == nil || shown.Stop == nil || slices.ContainsFunc(verdicts, func(v compare.Verdict) bool {
		return v.Kind.Wrong() && v.Field != compare.Local && v.Field != compare.Value
	}) {
		return otherPlace(c, shown)
	}
	var parts []string
	for _, v := range verdicts {
		if !v.Kind.Wrong() {
			continue
		}
		name := v.Name
		if v.Field == compare.Value {
			name = "value"
		}
		if v.Kind == compare.Missing {
			parts = append(parts, "no "+name)
			continue
		}
		parts = append(parts, name+" = "+shorten(v.Predicted, valueChanged))
	}
	return strings.Join(parts, ", ")
}
