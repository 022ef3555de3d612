package recorder

// Failure says why a program has no recording. The cause is the program, or the program
// cannot be recorded exactly; another run would fail for the same reason. "time limit"
// means either Limits.CPU, which hardly differs between runs, or Limits.Wall, which also
// counts the time of other processes. Increase both to record a program that needs just
// about as long as it may. They are one reason, because on a busy machine an endless
// program reaches the second limit first.
type Failure struct{ Reason string } // one of Reasons

func (f *Failure) Error() string { return "the program gives no recording: " + f.Reason }

// spoiled is the reason for invalid output of the program's process.
const spoiled = "a spoiled recording"

// Reasons lists all reasons of failures; maker/giving_up.py has the same list.
var Reasons = []string{
	"syntax error", "the entry is no call that can be made", "no state", "too many events", "long value", "address in a value",
	"__repr__ with effects", "value that cannot be shown", "reads its locals", "throws into a delegating generator",
	"a caller without a state", "changes tracing", "memory limit", "time limit", "recursion limit", "raises KeyboardInterrupt", "reads input",
	"opens files", "uses the network", "starts threads", "starts processes", "calls native code", "reads the clock", "asks for chance",
	"edit that cannot be made", "the generator failed", "ends its process", "killed", "too large a recording", spoiled,
}
