package themes

import "github.com/npdb/npdb/internal/draw"

// Role is a kind of element on the screen, named after its meaning. A theme assigns a style to each
// role.
type Role int

// The roles. roleTable and docs/themes.md describe each of them.
const (
	Text Role = iota
	Dim
	Rule
	Title
	Focus
	StatusBar
	StatusName
	Running
	HintKey
	Prompt
	Notice
	Error
	Cursor
	Selection
	Match
	MatchCurrent

	LineNumber
	Here
	CurrentLine
	Frame
	FrameLine
	Breakpoint
	BreakpointConditional
	BreakpointDisabled
	InlineValue

	LocalName
	Changed
	Was
	Differs
	Given
	Predicted
	Inferred
	Edited
	Doubtful
	Unsure

	Stdout
	Stderr
	Stdin

	TimelineCall
	TimelineBreakpoint
	TimelineException
	TimelineHere
	TimelineShown

	SyntaxKeyword
	SyntaxString
	SyntaxEscape
	SyntaxNumber
	SyntaxConstant
	SyntaxComment
	SyntaxName
	SyntaxBuiltin
	SyntaxFunction
	SyntaxClass
	SyntaxDecorator
	SyntaxOperator
	SyntaxPunctuation

	roleCount
)

// kind is how an element is drawn. It determines the contrast that the role's color needs.
type kind int

const (
	// letters: text, whose color needs a high contrast with the background.
	letters kind = iota
	// faint: less important text, whose color may have a lower contrast.
	faint
	// line: a rule or a mark, not text. Its color needs no minimum contrast.
	line
	// row: the background of a whole row. Text on it must remain legible.
	row
	// block: text with its own background.
	block
)

// roleInfo describes a role.
type roleInfo struct {
	name string // its name in theme files
	kind kind
	// plain is the attribute that marks the role on a terminal without colors. On a terminal with
	// 16 colors it replaces the background.
	plain draw.Attr
	doc   string
}

var roleTable = [roleCount]roleInfo{
	Text:         {"text", letters, 0, "everything without a role of its own; its background is the screen's"},
	Dim:          {"dim", faint, draw.Faint, "what may be passed over: counts, hints, what was cut"},
	Rule:         {"rule", line, draw.Faint, "the line in a pane's title"},
	Title:        {"title", letters, draw.Bold, "a pane's title"},
	Focus:        {"focus", letters, draw.Bold | draw.Reverse, "title and line of the pane that has the keyboard"},
	StatusBar:    {"status-bar", block, draw.Reverse, "the first row"},
	StatusName:   {"status-name", block, draw.Reverse | draw.Bold, "npdb's name in the first row"},
	Running:      {"running", letters, draw.Bold, "what is running, and since when"},
	HintKey:      {"hint-key", letters, draw.Bold, "a key that can be pressed, in the last row and in help"},
	Prompt:       {"prompt", letters, draw.Bold, "(npdb) and in>"},
	Notice:       {"notice", letters, draw.Italic, "a message"},
	Error:        {"error", letters, draw.Bold | draw.Underline, "a message about what went wrong"},
	Cursor:       {"cursor", block, draw.Bold | draw.Reverse, "the line number that the keys act on"},
	Selection:    {"selection", row, draw.Reverse, "the chosen entry of a list"},
	Match:        {"match", block, draw.Underline, "what a search found"},
	MatchCurrent: {"match-current", block, draw.Underline | draw.Reverse, "the match that the search is at"},

	LineNumber:            {"line-number", faint, draw.Faint, "a number in the gutter"},
	Here:                  {"here", letters, draw.Bold, "now: the arrow at the current line; the accent color"},
	CurrentLine:           {"current-line", row, draw.Bold, "the current line"},
	Frame:                 {"frame", letters, draw.Bold | draw.Italic, "the mark of the selected frame, in the gutter and the stack"},
	FrameLine:             {"frame-line", row, draw.Italic, "the line of the selected frame, where that is not the current one"},
	Breakpoint:            {"breakpoint", letters, draw.Bold, "the mark of a breakpoint"},
	BreakpointConditional: {"breakpoint-conditional", letters, draw.Bold, "the mark of a breakpoint with a condition or a count"},
	BreakpointDisabled:    {"breakpoint-disabled", faint, draw.Faint, "the mark of a disabled breakpoint"},
	InlineValue:           {"inline-value", faint, draw.Faint | draw.Italic, "values at the ends of source lines"},

	LocalName: {"local-name", letters, 0, "a variable's name"},
	Changed:   {"changed", letters, draw.Bold, "a value that the last move changed"},
	Was:       {"was", faint, draw.Faint | draw.Strike, "the value before"},
	Differs:   {"differs", letters, draw.Reverse, "where prediction and CPython part"},
	Given:     {"given", letters, 0, "a state that was given: the start"},
	Predicted: {"predicted", letters, draw.Italic, "a state that a model predicted"},
	Inferred:  {"inferred", letters, draw.Italic | draw.Underline, "a state that a model inferred backwards"},
	Edited:    {"edited", letters, draw.Underline, "a state that the user changed"},
	Doubtful:  {"doubtful", row, 0, "a part of a prediction that the model is not sure of; its number says how sure"},
	Unsure:    {"unsure", row, 0, "one that is more likely wrong than right, by the same number"},

	Stdout: {"stdout", letters, 0, "what the program wrote to standard output"},
	Stderr: {"stderr", letters, draw.Italic, "what it wrote to standard error"},
	Stdin:  {"stdin", letters, draw.Bold, "what it was given to read"},

	TimelineCall:       {"timeline-call", line, draw.Faint, "how deep the calls go"},
	TimelineBreakpoint: {"timeline-breakpoint", letters, draw.Bold, "a breakpoint that was hit"},
	TimelineException:  {"timeline-exception", letters, draw.Bold | draw.Underline, "an exception"},
	TimelineHere:       {"timeline-here", letters, draw.Bold, "the place the screen shows"},
	TimelineShown:      {"timeline-shown", letters, 0, "a place that was shown before"},

	SyntaxKeyword:     {"syntax-keyword", letters, draw.Bold, "`def`, `if`, `import`"},
	SyntaxString:      {"syntax-string", letters, 0, "a string"},
	SyntaxEscape:      {"syntax-escape", letters, 0, "an escape or a placeholder in a string"},
	SyntaxNumber:      {"syntax-number", letters, 0, "a number"},
	SyntaxConstant:    {"syntax-constant", letters, 0, "`None`, `True`, `False`"},
	SyntaxComment:     {"syntax-comment", faint, draw.Faint, "a comment"},
	SyntaxName:        {"syntax-name", letters, 0, "a name"},
	SyntaxBuiltin:     {"syntax-builtin", letters, 0, "a built-in function or exception, `self`"},
	SyntaxFunction:    {"syntax-function", letters, 0, "a function's name where it is defined"},
	SyntaxClass:       {"syntax-class", letters, 0, "a class's name where it is defined"},
	SyntaxDecorator:   {"syntax-decorator", letters, 0, "a decorator"},
	SyntaxOperator:    {"syntax-operator", letters, 0, "an operator"},
	SyntaxPunctuation: {"syntax-punctuation", letters, 0, "brackets, commas, colons"},
}

// String returns the role's name in theme files.
func (r Role) String() string { return roleTable[r].name }

// roleNames returns the names of all roles.
func roleNames() []string {
	names := make([]string, roleCount)
	for r := range roleCount {
		names[r] = r.String()
	}
	return names
}
