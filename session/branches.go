package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/visit"
)

// ShowBranches draws the history as a tree.
type ShowBranches struct{}

func (ShowBranches) String() string { return "branches" }

func (ShowBranches) run(_ context.Context, s *Session) error {
	s.draft.say(s.visits.branchesText())
	return nil
}

// Mark gives the visit To a name, and the name a note; "" means the shown visit, and the note that the
// name has. With Delete it takes the name away. Without a name it lists all names.
type Mark struct {
	Name   string `json:"name,omitempty"`
	To     string `json:"to,omitempty"`
	Note   string `json:"note,omitempty"`
	Delete bool   `json:"delete,omitempty"`
}

func (c Mark) String() string {
	if c.Delete {
		return words("mark -d", c.Name)
	}
	return words("mark", c.Name, c.To, c.Note)
}

func (c Mark) run(_ context.Context, s *Session) error {
	switch {
	case c.Name == "":
		s.draft.say(s.visits.marksText())
		return nil
	case c.Delete:
		if s.visits.tree.Mark(c.Name, 0) == 0 {
			return s.visits.noVisit(c.Name)
		}
		return nil
	case !IsMark(c.Name):
		return errorf(BadArgument, "%s: a mark is a word of letters, digits, _ and - that does not begin with a digit", c.Name)
	}
	v := s.visits.current()
	if c.To != "" {
		var err error
		if v, err = s.visits.find(c.To); err != nil {
			return err
		}
	}
	if v == nil {
		return errorf(NotFound, "No state is shown that could be marked")
	}
	was := s.visits.tree.Mark(c.Name, v.Number)
	text := fmt.Sprintf("%s is #%d, %s", c.Name, v.Number, v.Place())
	if was > 0 && was != v.Number {
		text += fmt.Sprintf(" (it was #%d)", was)
	}
	if c.Note != "" {
		s.visits.tree.Annotate(c.Name, c.Note)
	}
	s.draft.say(text)
	return nil
}

// IsMark reports whether a word can be the name of a mark.
func IsMark(word string) bool {
	for i, r := range word {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r != '-' && !unicode.IsDigit(r)) {
			return false
		}
	}
	return word != ""
}

// GotoVisit shows a visit of the history again: To is its name or "#" and its number. Nothing runs
// and no model is asked.
type GotoVisit struct {
	To string `json:"to"`
}

func (c GotoVisit) String() string { return words("goto", c.To) }

func (c GotoVisit) run(_ context.Context, s *Session) error {
	v, err := s.visits.find(c.To)
	if err == nil {
		s.revisit(v.Number)
	}
	return err
}

// Prune removes a branch from the history: the visit At and all that come after it. With Undo it
// brings the branch back that was removed last.
type Prune struct {
	At   string `json:"at,omitempty"`
	Undo bool   `json:"undo,omitempty"`
}

func (c Prune) String() string {
	if c.Undo {
		return "prune -u"
	}
	return words("prune", c.At)
}

func (c Prune) run(_ context.Context, s *Session) error {
	if c.Undo {
		branch := s.visits.tree.Restore()
		if branch == nil {
			return errorf(NotFound, "No branch was pruned that could be brought back")
		}
		s.draft.sayf("%s back: %s", branchText(branch), branch[0].Place())
		return nil
	}
	v, err := s.visits.find(c.At)
	if err != nil {
		return err
	}
	number := v.Number
	branch := s.visits.tree.Prune(number)
	if branch == nil {
		return errorf(Refused, "#%d leads to the shown state #%d: go to another branch first (goto #N), then prune", number, s.visits.tree.Shown())
	}
	s.draft.sayf("Pruned %s. (%s brings the branch back.)", branchText(branch), s.draft.key("prune -u"))
	return nil
}

// branchText describes how many visits a branch has, and which names.
func branchText(branch []Visit) string {
	text := fmt.Sprintf("#%d", branch[0].Number)
	if more := len(branch) - 1; more > 0 {
		text += fmt.Sprintf(" and %s after it", plural(more, "state", "states"))
	}
	var marks []string
	for _, v := range branch {
		marks = append(marks, v.Marks...)
	}
	if len(marks) > 0 {
		text += " (" + strings.Join(marks, ", ") + ")"
	}
	return text
}

// VisitName returns the name under which commands find a visit by its number.
func VisitName(number int) string { return "#" + strconv.Itoa(number) }

// current returns the shown visit, nil if there is none.
func (vs *visits) current() *Visit { return vs.tree.Visit(vs.tree.Shown()) }

// find returns the visit that a user names: by a mark, or by its number with or without "#".
func (vs *visits) find(name string) (*Visit, error) {
	number := vs.tree.Named(name)
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "#")); err == nil {
		number = n
	}
	if v := vs.tree.Visit(number); v != nil {
		return v, nil
	}
	return nil, vs.noVisit(name)
}

// noVisit returns the error for a visit that does not exist.
func (vs *visits) noVisit(name string) error {
	if IsMark(name) {
		return errorf(NotFound, "No state is marked %s (mark lists the names, branches all states)", name)
	}
	return errorf(NotFound, "The history has no state %s (branches lists them)", name)
}

// Marks returns the names of marked visits in alphabetical order.
func (vs *visits) Marks() []string { return vs.tree.Marks() }

func (vs *visits) marksText() string {
	names := vs.tree.Marks()
	if len(names) == 0 {
		return "No state is marked"
	}
	vs.describe()
	lines := make([]string, len(names))
	for i, name := range names {
		v := vs.tree.Visit(vs.tree.Named(name))
		lines[i] = name + "  " + visitText(v)
		if note := v.Notes[name]; note != "" {
			lines[i] += "\n    " + note
		}
	}
	return strings.Join(lines, "\n")
}

// branchesText draws the history. It folds long straight runs.
func (vs *visits) branchesText() string {
	list := vs.tree.List()
	if len(list) == 0 {
		return "No state was shown yet"
	}
	vs.describe()
	var lines []string
	for _, l := range visit.Fold(list, visit.Rows(list), vs.tree.Shown()) {
		v := &list[l.Index]
		text := visitText(v)
		if l.Folded > 0 {
			text = fmt.Sprintf("… %s", plural(l.Folded, "step", "steps"))
		} else if len(v.Marks) > 0 {
			text += "  [" + strings.Join(v.Marks, ", ") + "]"
		}
		if begins := RunBegun(list, v); begins > 0 && l.Folded == 0 {
			text += fmt.Sprintf("  run %d", begins)
		}
		here := "  "
		if l.Folded == 0 && v.Number == vs.tree.Shown() {
			here = "> "
		}
		lines = append(lines, here+l.Prefix+text)
	}
	return strings.Join(lines, "\n")
}

// RunBegun returns the number of the run that begins at a visit of a history, 0 if none does.
func RunBegun(history []Visit, v *Visit) int {
	i, ok := slices.BinarySearchFunc(history, v.Parent, func(v Visit, number int) int { return v.Number - number })
	if !ok || history[i].Run == v.Run {
		return 0
	}
	return v.Run + 1
}

// visitText describes a visit in a line: number, place, command, what is new, and its origin.
func visitText(v *Visit) string {
	parts := []string{fmt.Sprintf("#%d %s", v.Number, v.Place())}
	if v.Command != "" {
		parts = append(parts, v.Command)
	}
	if v.Detail != "" {
		parts = append(parts, v.Detail)
	}
	if v.Origin != dsl.Real {
		parts = append(parts, v.Origin.String())
	}
	return strings.Join(parts, "  ")
}
