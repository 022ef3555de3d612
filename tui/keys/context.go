package keys

// Context is where keys go to: a pane, or a line that text is typed into. A
// binding of the context wins over a global one.
type Context uint8

// Source to Breakpoints are panes; CommandLine, Search, Input and Help take text.
const (
	Global Context = iota
	Source
	Locals
	Stack
	Output
	History
	Breakpoints
	CommandLine
	Search
	Input // the line for the program's standard input
	Help
)

var contextNames = [...]string{
	"everywhere", "source", "locals", "stack", "output", "history",
	"breakpoints", "command line", "search", "input", "help",
}

func (c Context) String() string {
	return contextNames[c]
}

// TakesText reports whether what is typed in the context is text. There a key
// that types a character is bound to nothing, and of the global actions only
// those with InText can be reached.
func (c Context) TakesText() bool { return c >= CommandLine }
