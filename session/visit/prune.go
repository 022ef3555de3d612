package visit

import (
	"maps"
	"slices"
)

// Mark gives a visit a name, which keeps its note. It returns the number of the visit that had the name before, 0 for
// none. A number of 0 only takes the name away.
func (t *Tree) Mark(name string, number int) (had int) {
	had = t.Named(name)
	note := ""
	if v := t.Visit(had); v != nil {
		note = v.Notes[name]
		// Copy the names, because snapshots of the list share them.
		v.Marks = slices.DeleteFunc(slices.Clone(v.Marks), func(m string) bool { return m == name })
		t.note(v, name, "")
	}
	if v := t.Visit(number); v != nil {
		v.Marks = append(slices.Clone(v.Marks), name)
		slices.Sort(v.Marks)
		t.note(v, name, note)
	}
	return had
}

// Annotate gives a name a note.
func (t *Tree) Annotate(name, note string) {
	if v := t.Visit(t.Named(name)); v != nil {
		t.note(v, name, note)
	}
}

// note sets the note of a name of a visit; "" removes it.
func (t *Tree) note(v *Visit, name, note string) {
	v.Notes = maps.Clone(v.Notes) // snapshots of the list share it
	switch {
	case note == "":
		delete(v.Notes, name)
	case v.Notes == nil:
		v.Notes = map[string]string{name: note}
	default:
		v.Notes[name] = note
	}
}

// Named returns the number of the visit with a name, 0 if there is none.
func (t *Tree) Named(name string) int {
	for i := range t.list {
		if slices.Contains(t.list[i].Marks, name) {
			return t.list[i].Number
		}
	}
	return 0
}

// Marks returns all names in alphabetical order.
func (t *Tree) Marks() []string {
	var names []string
	for i := range t.list {
		names = append(names, t.list[i].Marks...)
	}
	slices.Sort(names)
	return names
}

// Prune removes a visit and all visits below it, and returns them. It returns nil if the shown visit
// is among them, or if there is no such visit.
func (t *Tree) Prune(number int) []Visit {
	i := t.Index(number)
	if i < 0 || t.Leads(number, t.shown) {
		return nil
	}
	below := map[int]bool{number: true}
	branch := []Visit{t.list[i]}
	for _, v := range t.list[i+1:] { // a child follows its parent
		if below[v.Parent] {
			below[v.Number] = true
			branch = append(branch, v)
		}
	}
	kept := make([]Visit, 0, len(t.list)-len(branch)) // snapshots share the old list
	for _, v := range t.list {
		if !below[v.Number] {
			kept = append(kept, v)
		}
	}
	t.list = kept
	t.pruned = append(t.pruned, branch)
	t.forget(below)
	return branch
}

// forget removes visits from the trail and from the index of positions.
func (t *Tree) forget(gone map[int]bool) {
	for p, numbers := range t.at {
		if numbers = slices.DeleteFunc(numbers, func(n int) bool { return gone[n] }); len(numbers) == 0 {
			delete(t.at, p)
		} else {
			t.at[p] = numbers
		}
	}
	for parent, child := range t.latest {
		if gone[child] || gone[parent] {
			delete(t.latest, parent)
		}
	}
	for _, v := range t.list {
		if t.latest[v.Parent] == 0 && v.Parent > 0 {
			t.latest[v.Parent] = v.Number // the first child that is left
		}
	}
	var trail []int
	here := 0
	for i, number := range t.trail {
		if n := len(trail); !gone[number] && (n == 0 || trail[n-1] != number) {
			trail = append(trail, number)
		}
		if i == t.here {
			here = len(trail) - 1
		}
	}
	t.trail, t.here = trail, here
}

// Restore brings the branch back that was pruned last, and returns its visits; nil if there is none.
// A name that another visit has by now stays there.
func (t *Tree) Restore() []Visit {
	n := len(t.pruned)
	if n == 0 {
		return nil
	}
	branch := t.pruned[n-1]
	t.pruned = t.pruned[:n-1]
	taken := t.Marks()
	for i := range branch {
		branch[i].Marks = slices.DeleteFunc(slices.Clone(branch[i].Marks), func(m string) bool { return slices.Contains(taken, m) })
		t.put(branch[i])
	}
	t.list = append(slices.Clone(t.list), branch...)
	slices.SortFunc(t.list, func(a, b Visit) int { return a.Number - b.Number })
	for _, v := range branch {
		if t.latest[v.Parent] == 0 {
			t.latest[v.Parent] = v.Number
		}
	}
	return branch
}
