package dsl

// Stop is a state with its whole stack.
type Stop struct {
	State
	// Stack is outermost first; its last frame is that of the state.
	Stack []Frame
	// Activations distinguishes calls of the same function: one number for each frame of Stack. It
	// is nil if they are unknown, as after decoding. Numbers of different sources must not be
	// compared.
	Activations []uint32
	// Whole requests the whole stack in the text even if the rules for readers do not. It is set
	// in a decoded stop if the text has such a stack.
	Whole bool
}

// Outcome is the kind of an action's result.
type Outcome uint8

// A state, the end of the program, no state to go back to, or a declined answer.
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

// Reply is the result of an action.
type Reply struct {
	Outcome Outcome
	Stop    *Stop // of Landed
	Exit    *Exit // of Ended
}

// Step is an action and its result. A step without an action (the zero Action, and no edit) is a
// given state: the first one of a trajectory, or one at the beginning of a compacted text.
type Step struct {
	Action Action
	Edit   bool // the user changed the state; Reply is the state as it is now
	Reply  Reply
}

func (s *Step) given() bool { return s.Action.Move == 0 && !s.Edit }

// whole reports whether the whole stack is written after such a step in any case.
func (s *Step) whole() bool {
	switch s.Action.Move {
	case Breakpoint, InvBreakpoint, Continue, InvContinue:
		return true
	}
	return s.Edit || s.given()
}

// Trajectory is a program and its steps, in order.
type Trajectory struct {
	Program *Program
	// Compacted texts begin with several given states, the last of which is the current one; other
	// texts with one.
	Compacted bool
	Steps     []Step
}
