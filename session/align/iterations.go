package align

import (
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// iterated caches the loops of one run: their places in the source files and their iterations.
type iterated struct {
	past  *query.Past
	files map[int]*python.Loops
	runs  map[runOfLoop]*query.Iterations
}

// runOfLoop is a loop in an activation.
type runOfLoop struct {
	activation uint32
	line       int
}

// loopsOf returns the loops around the innermost line of a stack that is in any.
func (al *Alignment) loopsOf(k int, stack []statetree.StackFrame) []Iteration {
	for n := len(stack) - 1; n >= 0; n-- {
		if list := al.loops(k, stack[n].Event); len(list) > 0 {
			return list
		}
	}
	return []Iteration{}
}

// loops returns the loops around an event, the outermost first, and which of their iterations it is in.
func (al *Alignment) loops(k, event int) []Iteration {
	list := []Iteration{}
	if event < 0 {
		return list
	}
	at := al.Runs[k].Tree.At(event)
	for _, l := range al.loopsAt(k, at.File, at.Line) {
		number := 0
		if it := al.iterationsOf(k, at.Activation, &l); it.Runs() > 0 {
			number = it.RoundAt(it.RunAt(event), event)
		}
		list = append(list, Iteration{Function: al.sources.codes[k][at.Code].qualified, Line: l.Line, Number: number})
	}
	return list
}

// loopsAt returns the loops around a line, the outermost first.
func (al *Alignment) loopsAt(k, file, line int) []python.Loop {
	c := &al.iterated[k]
	if c.past == nil {
		*c = iterated{query.Of(al.Runs[k].Tree), map[int]*python.Loops{}, map[runOfLoop]*query.Iterations{}}
	}
	if c.files[file] == nil {
		c.files[file] = python.ReadLoops(c.past.Tree().Files()[file].Source)
	}
	return c.files[file].Around(line)
}

// iterationsOf returns the iterations of a loop in an activation.
func (al *Alignment) iterationsOf(k int, activation uint32, l *python.Loop) *query.Iterations {
	c, key := &al.iterated[k], runOfLoop{activation, l.Line}
	if c.runs[key] == nil {
		c.runs[key] = query.FindIterations(c.past.CourseOf(activation), l)
	}
	return c.runs[key]
}
