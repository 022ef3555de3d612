package python

// Outline is what a tracer can stop at in a source file. All lines count from 1.
type Outline struct {
	// Executable are the lines with a line event in some code object of the
	// file, the lines of def and class included, in ascending order.
	Executable []int
	// Functions are those that def and async def make, ascending by Line.
	// What the compiler dropped as unreachable is not among them.
	Functions []Function
}

// Function is a function of a source file.
type Function struct {
	Name     string
	QualName string // "Account.pay", "f.<locals>.g" (PEP 3155)
	Line     int    // co_firstlineno: of the first decorator, or of def
	BodyLine int    // the first line of the body that has a line event
	EndLine  int    // the last line of its text
}
