package traceback

import (
	"strings"
)

var (
	openForm  = newForm(`^\+-\+-{4,} +(\d+|\.\.\.) +-{4,}`)
	leafForm  = newForm(`^\+-{4,} +(\d+|\.\.\.) +-{4,}`)
	closeForm = newForm(`^\+-{8,}$`)
	moreForm  = newForm(`^and (\d+) more exceptions?$`)
)

// maxDepth bounds how deep groups may be nested; Python prints ten levels.
const maxDepth = 40

// tree reads an exception group, whose text is a tree. Each level stands two columns deeper than the
// one around it.
type tree struct {
	*scanner
	margin margin
}

// own returns the lines of the exceptions at a level.
func (r *tree) own(level int) view {
	return view{r.scanner, r.margin + margin(strings.Repeat(" ", level)+"| "), r.margin}
}

// find returns the submatches of expr if the first line from i on has it at a level, and the
// line after it; nil and i otherwise.
func (r *tree) find(i, level int, expr *form) (submatches []string, end int) {
	rest, at, ok := r.view(r.margin).next(i)
	if !ok || len(rest) < level || !blank(rest[:level]) {
		return nil, i
	}
	if submatches = expr.FindStringSubmatch(strings.TrimRight(rest[level:], " ")); submatches == nil {
		return nil, i
	}
	return submatches, at + 1
}

// exception reads an exception at a level, the first line after its header, and its leaves. It
// returns the line after them.
func (r *tree) exception(level, i int, t *Trace) int {
	return r.leaves(level, r.own(level).body(i, t), t)
}

// leaves reads the leaves of a group from line i on, if there are any, and returns the line after
// them.
func (r *tree) leaves(level, i int, t *Trace) int {
	if level > 2*maxDepth {
		return i
	}
	label, i := r.find(i, level, openForm)
	for label != nil {
		leaf, end := r.leaf(level+2, i)
		if label[1] == "..." {
			t.omit(leaf)
		} else if leaf != nil {
			t.Leaves = append(t.Leaves, leaf)
		}
		label, i = r.find(end, level+2, leafForm)
	}
	_, i = r.find(i, level+2, closeForm)
	return i
}

// omit counts the leaves that Python left out of the text.
func (t *Trace) omit(leaf *Trace) {
	if leaf == nil {
		return
	}
	for _, line := range append([]string{leaf.Type}, leaf.Notes...) {
		if m := moreForm.FindStringSubmatch(line); m != nil {
			t.LeavesOmitted = number(m[1])
		}
	}
}

// leaf reads the chain of exceptions of one leaf and returns the last one, nil if there is none.
func (r *tree) leaf(level, i int) (last *Trace, end int) {
	v := r.own(level)
	link := noRelation
	for {
		text, at, ok := v.next(i)
		if !ok {
			return last, i
		}
		if link == noRelation {
			link = relationIn(text)
		}
		switch first := strings.TrimSpace(text); {
		case first == lastHeader || first == groupMark+lastHeader:
			at++
		case last == nil && moreForm.MatchString(first):
			return &Trace{Type: first}, at + 1
		case last != nil && link == noRelation && first != "":
			last.Notes = append(last.Notes, strings.TrimRight(text, " "))
			i = at + 1
			continue
		case first == "" || relationIn(first) != noRelation:
			i = at + 1
			continue
		}
		t := &Trace{}
		next := r.exception(level, at, t)
		if next <= at && t.Type == "" && len(t.Frames) == 0 {
			next = at + 1 // a line that is no exception's
		} else {
			if last != nil && link != noRelation {
				t.link(link, last)
			}
			last, link = t, noRelation
		}
		i = max(next, i+1)
	}
}
