package recorder

// Failure reports that a program has no recording. Either the program itself is the cause, or it cannot
// be recorded exactly, so that another run would fail for the same reason.
//
// The reason "time limit" means Limits.CPU or Limits.Wall. On a busy machine an endless program reaches
// Limits.Wall first, although Limits.CPU hardly depends on other processes, so both have the same
// reason. To record a program that needs almost all of its time, increase both.
type Failure struct{ Reason string } // one of Reasons

func (f *Failure) Error() string { return "the program gives no recording: " + f.Reason }

// spoiled is the reason if a program's process sent an invalid recording.
const spoiled = "a spoiled recording"

// Reasons lists the reasons of all failures. maker/giving_up.py contains the same list.
var Reasons = []string{
	"syntax error", "the entry is no call that can be made", "no state", "too many events", "long value", "address in a value",
	"__repr__ with effects", "value that cannot be shown", "reads its locals", "names that this Python cannot read", "throws into a delegating generator",
	"a caller without a state", "changes tracing", "memory limit", "time limit", "recursion limit", "raises KeyboardInterrupt", "reads input",
	"opens files", "uses the network", "starts threads", "starts processes", "calls native code", "reads the clock", "asks for chance",
	"edit that cannot be made", "the generator failed", "ends its process", "killed", "too large a recording", spoiled,
}
