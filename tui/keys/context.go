package keys

import "slices"

// Context is a pane or an input line that receives keys. A binding of the context wins over a
// global one.
type Context uint8

// Source to Candidates are panes, Start is the screen before a program is chosen,
// Question is a question of npdb above the last rows, Settings, Grid and Iterations cover the panes;
// CommandLine to Files take text.
const (
	Global Context = iota
	Source
	Locals
	Stack
	Output
	History
	Breakpoints
	Candidates
	Start
	Question
	Settings
	Grid       // an array or a data frame
	Iterations // the table of a loop
	Tour       // the panel of the tour, whose keys act wherever they have no other meaning
	CommandLine
	Search
	Input // the line for the program's standard input
	Help
	Path   // of a program
	Themes // the filter of the list of themes
	Files  // the filter of the list of files
)

var contextNames = [...]string{
	"everywhere", "source", "locals", "stack", "output", "history",
	"breakpoints", "candidates", "start screen", "question", "settings", "grid", "loop", "tour", "command line", "search", "input", "help", "path", "themes", "files",
}

func (c Context) String() string {
	return contextNames[c]
}

// TakesText reports whether keys type text in the context. There a key that types a character is
// not bound, and only global actions with InText can be reached.
func (c Context) TakesText() bool { return c >= CommandLine }

// reaches reports whether a global action works in the context: not before a program is chosen,
// nor while a question is open.
func (c Context) reaches(a Action) bool {
	switch c {
	case Tour:
		return false
	case Start:
		return a.Group == groupScroll || slices.Contains([]string{"mouse", "redraw", "suspend", "cancel", "quit", "help", "settings", "themes"}, a.Name)
	case Question:
		return a.Name == "redraw" || a.Name == "suspend" || a.Name == "mouse"
	case Grid, Iterations:
		return a.Group == groupScroll || slices.Contains([]string{"mouse", "redraw", "suspend", "cancel"}, a.Name)
	case Settings:
		return a.Group == groupScroll || slices.Contains([]string{"mouse", "redraw", "suspend", "cancel", "settings", "themes"}, a.Name)
	case Themes:
		return slices.Contains([]string{"redraw", "suspend", "cancel", "themes"}, a.Name)
	case Files:
		return slices.Contains([]string{"redraw", "suspend", "cancel"}, a.Name)
	case Path:
		return a.InText && a.Group == groupSession
	}
	return !c.TakesText() || a.InText
}
