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

// maxDepth limits the nesting of exception groups. Python prints ten levels.
const maxDepth = 40

// tree parses an exception group, which is printed as a tree. Each level is indented two columns
// more than the enclosing one.
type tree struct {
	*scanner
	margin margin
}

// own returns a view of the lines of the exceptions at a level.
func (r *tree) own(level int) view {
	return view{r.scanner, r.margin + margin(strings.Repeat(" ", level)+"| "), r.margin}
}

// find matches expr against the first line from i on, at a level. It returns the submatches and the
// line after that line, or nil and i.
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

// exception parses an exception at a level, and its leaves. i is the line after the exception's
// header. It returns the line after them.
func (r *tree) exception(level, i int, t *Trace) int {
	return r.leaves(level, r.own(level).body(i, t), t)
}

// leaves parses the leaves of a group from line i on, if there are any, and returns the line after
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

// omit adds the leaves that Python did not print to LeavesOmitted.
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

// leaf parses the chain of exceptions of one leaf and returns its last exception, or nil.
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
			next = at + 1 // a line that does not belong to an exception
		} else {
			if last != nil && link != noRelation {
				t.link(link, last)
			}
			last, link = t, noRelation
		}
		i = max(next, i+1)
	}
}
