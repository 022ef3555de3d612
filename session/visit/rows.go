package visit

import "strings"

// The parts of the lines that Rows draws before the visits.
const (
	through = "│ " // the line from which a branch begins goes on below
	begins  = "├─" // a branch begins
)

// Row is the place of a visit in the drawn tree. The first child of a visit continues its line
// straight below. Other children begin branches, which are drawn before the line goes on.
type Row struct {
	Index  int    // of the visit in the list
	Prefix string // the lines before the visit
	Begins bool   // the visit begins a branch
	Kids   int    // number of children
}

// Rows draws the tree of the visits in a list, which is in ascending order of the numbers.
func Rows(list []Visit) []Row {
	kids := map[int][]int{}
	for i := range list {
		kids[list[i].Parent] = append(kids[list[i].Parent], i)
	}
	type todo struct {
		index  int
		level  int
		begins bool
	}
	var stack []todo
	push := func(children []int, level int) {
		if len(children) == 0 {
			return
		}
		// The stack returns the last one first, and the first child is drawn last.
		stack = append(stack, todo{children[0], level, false})
		for i := len(children) - 1; i > 0; i-- {
			stack = append(stack, todo{children[i], level + 1, true})
		}
	}
	push(kids[0], 0)
	rows := make([]Row, 0, len(list))
	for len(stack) > 0 {
		now := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		children := kids[list[now.index].Number]
		prefix := strings.Repeat(through, now.level)
		if now.begins {
			prefix = strings.Repeat(through, now.level-1) + begins
		}
		rows = append(rows, Row{Index: now.index, Prefix: prefix, Begins: now.begins, Kids: len(children)})
		push(children, now.level)
	}
	return rows
}

// shortestFold is the number of rows from which a straight run is folded.
const shortestFold = 3

// Line is a line of the tree as text: a row, or a number of steps that are folded.
type Line struct {
	Row
	Folded int // number of visits that the line stands for, 0 for a row
}

// Fold replaces straight runs of rows by one line each. It keeps the shown visit, marked ones, the
// first and the last of each branch and of each run, and those at which branches begin.
func Fold(list []Visit, rows []Row, shown int) []Line {
	plain := func(i int) bool {
		v := &list[rows[i].Index]
		return i > 0 && rows[i].Kids == 1 && !rows[i].Begins && len(v.Marks) == 0 && v.Number != shown && v.Run == list[rows[i-1].Index].Run
	}
	var lines []Line
	for i := 0; i < len(rows); {
		run := 0
		for i+run < len(rows) && plain(i+run) {
			run++
		}
		if run >= shortestFold {
			lines = append(lines, Line{Row: rows[i], Folded: run})
			i += run
			continue
		}
		for range max(run, 1) {
			lines = append(lines, Line{Row: rows[i]})
			i++
		}
	}
	return lines
}
