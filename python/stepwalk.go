package python

import (
	"strings"

	"github.com/npdb/npdb/dsl"
)

// StepWalk finds where a block or function move lands, given the states that its single steps
// (dsl.Move.Repeats) lead to.
type StepWalk struct {
	move    dsl.Move
	program *dsl.Program
	blocks  map[string]*Blocks
	from    *dsl.Stop // where the move begins, or a later state of the block; nil at the end of the program
	before  *dsl.Stop // for an inverse block move: the last state, if its block may begin earlier
}

// WalkLanding is the result of StepWalk.Next.
type WalkLanding uint8

// The results of Next. WalkGoesOn means that another step is needed. WalkLandsHere means that the move
// lands on the state. WalkLandsBefore means that it lands on the previous state, where the block begins.
const (
	WalkGoesOn WalkLanding = iota
	WalkLandsHere
	WalkLandsBefore
)

// NewStepWalk returns a walk for a move that begins at a state, which is nil at the end of the program.
func NewStepWalk(m dsl.Move, p *dsl.Program, from *dsl.Stop) *StepWalk {
	return &StepWalk{move: m, program: p, blocks: map[string]*Blocks{}, from: from}
}

// Next reports whether the move lands on the state to which the next single step leads, or on the state
// before it. to is nil at the end or the start of the program. Call Next for the states in order.
func (w *StepWalk) Next(to *dsl.Stop) WalkLanding {
	switch w.move {
	case dsl.StepBlock:
		if to == nil || !w.straight(w.from, to) {
			return WalkLandsHere
		}
		w.from = to
	case dsl.InvStepBlock:
		switch {
		case w.before != nil && (to == nil || !w.straight(to, w.before)):
			return WalkLandsBefore
		case to == nil || w.from == nil || !sameFrame(w.from, to) || to.Event != dsl.Line || w.begins(to):
			return WalkLandsHere
		}
		w.before = to
	default:
		if to == nil || to.Event == dsl.Call || to.Event == dsl.Return {
			return WalkLandsHere
		}
	}
	return WalkGoesOn
}

// straight reports whether a step leads from one state to another one that continues the same block.
func (w *StepWalk) straight(from, to *dsl.Stop) bool {
	return from != nil && sameFrame(from, to) && from.Event == dsl.Line && to.Event == dsl.Line &&
		w.blocksOf(to.File).Straight(from.Line, to.Line)
}

// sameFrame reports whether two states of a walk of steps over are in the same activation.
func sameFrame(a, b *dsl.Stop) bool {
	return len(a.Stack) == len(b.Stack) && a.Function == b.Function && a.File == b.File
}

// begins reports whether each line event at the line of a state begins a block.
func (w *StepWalk) begins(stop *dsl.Stop) bool {
	parts := w.blocksOf(stop.File).Parts(stop.Line)
	return len(parts) == 0 || stop.Line <= parts[0].Last && parts[0].Again == AgainNever
}

func (w *StepWalk) blocksOf(name string) *Blocks {
	found := w.blocks[name]
	if found == nil {
		file := w.program.Files[0]
		for _, f := range w.program.Files[1:] {
			if f.Name == name {
				file = f
			}
		}
		found = BlocksOf(strings.Join(file.Lines, "\n") + "\n")
		w.blocks[name] = found
	}
	return found
}
