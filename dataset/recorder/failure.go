package recorder

// Failure says why a program gives no recording. The program is at fault, or is not one
// that can be recorded exactly; another run fails for the same reason.
type Failure struct{ Reason string } // one of Reasons

func (f *Failure) Error() string { return "the program gives no recording: " + f.Reason }

// What npdb itself finds of what came from the program's process.
const (
	timeLimit = "time limit"
	spoiled   = "a spoiled recording"
)

// Reasons are all reasons of failures; maker/giving_up.py has the same.
var Reasons = []string{
	"syntax error", "the entry is no call that can be made", "no state", "too many events", "long value", "address in a value",
	"__repr__ with effects", "value that cannot be shown", "reads its locals", "throws into a delegating generator",
	"a caller without a state", "changes tracing", "memory limit", timeLimit, "recursion limit", "raises KeyboardInterrupt", "reads input",
	"opens files", "uses the network", "starts threads", "starts processes", "calls native code", "reads the clock", "asks for chance",
	"edit that cannot be made", "the generator failed", "ends its process", "killed", "too large a recording", spoiled,
}
