package recorder

// Failure says why a program gives no recording. The program is at fault, or is not one
// that can be recorded exactly; another run fails for the same reason. But "time limit" is
// that of Limits.CPU, which hardly differs from run to run, as well as that of Limits.Wall,
// which goes on while others have the processors: more of both records a program that takes
// just about as long as it may. It is one reason, for on a busy machine a program without an
// end comes to the second before the first.
type Failure struct{ Reason string } // one of Reasons

func (f *Failure) Error() string { return "the program gives no recording: " + f.Reason }

// spoiled is what npdb itself finds of what came from the program's process.
const spoiled = "a spoiled recording"

// Reasons are all reasons of failures; maker/giving_up.py has the same.
var Reasons = []string{
	"syntax error", "the entry is no call that can be made", "no state", "too many events", "long value", "address in a value",
	"__repr__ with effects", "value that cannot be shown", "reads its locals", "throws into a delegating generator",
	"a caller without a state", "changes tracing", "memory limit", "time limit", "recursion limit", "raises KeyboardInterrupt", "reads input",
	"opens files", "uses the network", "starts threads", "starts processes", "calls native code", "reads the clock", "asks for chance",
	"edit that cannot be made", "the generator failed", "ends its process", "killed", "too large a recording", spoiled,
}
