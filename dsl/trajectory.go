package dsl

// Stop is a state with its whole stack.
type Stop struct {
	State
	// Stack begins with the outermost frame. Its last frame is that of the state.
	Stack []Frame
	// Activations holds a number for each frame in Stack, to distinguish calls of the same
	// function. It is nil if the numbers are unknown, as after decoding. Do not compare numbers
	// from different sources.
	Activations []uint32
	// Whole makes the writer write the whole stack where the format does not require it. The
	// decoder sets it only there, so that a state does not depend on whether it was decoded.
	Whole bool
}

// Outcome is the kind of an action's result.
type Outcome uint8

// Landed: the action led to a state. Ended: it led to the end of the program. AtStart: an inverse
// move found no state. Unknown: the predictor declined to answer.
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
	Stop    *Stop // set if Outcome is Landed
	Exit    *Exit // set if Outcome is Ended
}

// Step is an action and its result. A step without an action (Action is zero, and Edit is false) is
// a given state: the first one of a trajectory, or one at the beginning of a compacted text.
type Step struct {
	Action Action
	Edit   bool // the user changed a value; Reply holds the changed state
	Reply  Reply
}

func (s *Step) given() bool { return s.Action.Move == 0 && !s.Edit }

// whole reports whether the format requires the whole stack in the state after this step.
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
	// Compacted reports whether the text begins with several given states, the last of which is the
	// current one. Other texts begin with one.
	Compacted bool
	Steps     []Step
}
