package dsl

// Stop is a state and the whole stack it was met on.
type Stop struct {
	State
	// Stack is outermost first; its last frame is the state's own.
	Stack []Frame
	// Activations tells runs of the same function apart: one number for each
	// frame of Stack. It is nil where they are not known, as in what was
	// decoded. Only its owner's numbers are compared with each other.
	Activations []uint32
	// Whole asks for the whole stack on the wire although the reader's rules
	// do not. A decoded stop has it where the text wrote such a stack.
	Whole bool
}

// Outcome says what an action led to.
type Outcome uint8

// A state, the end of the program, no state to go back to, or an answer that
// declines.
const (
	Landed Outcome = iota + 1
	Ended
	AtStart
	Unknown
)

var outcomeNames = [...]string{Landed: "state", Ended: "end", AtStart: "start", Unknown: "unknown"}

func (o Outcome) String() string {
	if int(o) >= len(outcomeNames) {
		return ""
	}
	return outcomeNames[o]
}

// Reply is what an action led to.
type Reply struct {
	Outcome Outcome
	Stop    *Stop // of Landed
	Exit    *Exit // of Ended
}

// Step is an action and what it led to. A step without an action (the zero
// Action, and no edit) gives a state: the first one of a trajectory, or one of
// those that a compacted text begins with.
type Step struct {
	Action Action
	Edit   bool // the user changed the state; Reply is the state as it is now
	Reply  Reply
}

func (s *Step) given() bool { return s.Action.Move == 0 && !s.Edit }

// whole reports whether the format wants the whole stack after such a step,
// whatever the reader knows.
func (s *Step) whole() bool {
	switch s.Action.Move {
	case Breakpoint, InvBreakpoint, Continue, InvContinue:
		return true
	}
	return s.Edit || s.given()
}

// Trajectory is a program and what happened in it, in order.
type Trajectory struct {
	Program *Program
	// Compacted texts begin with several given states, the last of which is
	// the current one; others with one.
	Compacted bool
	Steps     []Step
}
