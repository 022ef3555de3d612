// Package pane is what the panes of npdb's screen have in common: what one is, what it
// knows of the screen around it and may ask of it, a cursor in a list, and a search.
//
// A pane knows the screen only by this. No pane knows another one.
package pane

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// Pane is one part of the screen. It draws below its title.
type Pane interface {
	// Context is where the keys go to that it is focused for.
	Context() keys.Context
	// Title is asked for after the pane was drawn.
	Title() (name, more string)
	Draw(a *draw.Area, focused bool)
	// Act does one of the actions of the pane's context, or one of moving about;
	// done is false for one that it does not know.
	Act(action string) (cmd tea.Cmd, done bool)
	// Click is a click on a cell of the area that Draw drew on.
	Click(x, y int) tea.Cmd
	Wheel(rows int)
	// Stopped says that the session shows another stop.
	Stopped()
	// Texts are what a search looks through; At and GoTo are the cursor among them.
	Texts() (n int, text func(i int) string)
	At() int
	GoTo(i int)
}

// Sighted is a pane that may have more rows than there is room for. At the right end
// of its title stand those that it shows, and in the role of news what there is to
// know of the others; either may be "". It is asked after the pane was drawn.
type Sighted interface {
	Sight() (shown, news string, role themes.Role)
}

// Sized is a pane that can tell how many rows it would fill at some columns; it may
// stop counting at most.
type Sized interface {
	Fills(columns, most int) (rows int)
}

// Opener is a pane that may hide what a search finds. It opens what hides the match at
// the cursor.
type Opener interface {
	OpenMatch(q *Search)
}

// Screen is what a pane knows of the screen that it is a part of, and what it may ask
// of it.
type Screen struct {
	View    *session.View // nil until the program has started
	Theme   *themes.Theme // for the terminal's profile
	Measure draw.Measure
	Keys    *keys.Map
	Flash   string       // a word of the screen's own in the last row, until the next key
	Focused keys.Context // the pane that keys act on
	Typing  bool         // into the line at the foot
	Running *Running     // what is under way, nil if nothing is
	Search  *Search      // what is looked for; nil if nothing is

	Orders Orders
	// Type opens the line at the foot for something, with a text in it.
	Type func(of keys.Context, text string)
	// ShowLine puts the source's cursor on a line of a file.
	ShowLine func(path string, line int) tea.Cmd
	// Focus goes to a pane, and has it show.
	Focus func(of keys.Context) tea.Cmd
}

// Orders are what a pane has the session do. While another order is under way one waits
// for its turn, and means what was on the screen when it was given.
type Orders interface {
	// GoTo shows an event of the recording; in neural mode a state of the history.
	GoTo(event int) tea.Cmd
	// Visit shows a state of the history again.
	Visit(i int) tea.Cmd
	// SelectFrame selects a frame of the stack by its place in the view.
	SelectFrame(i int) tea.Cmd
	// ToggleBreakpoint sets a breakpoint on a line, or deletes those that are there.
	ToggleBreakpoint(path string, line int) tea.Cmd
	// EnableBreakpoint enables a breakpoint, or disables it if it is.
	EnableBreakpoint(number int) tea.Cmd
	DeleteBreakpoint(number int) tea.Cmd
	// Display shows an expression at each stop, Undisplay no more; BreakOnChange stops
	// where it changes.
	Display(expression string) tea.Cmd
	Undisplay(expression string) tea.Cmd
	BreakOnChange(expression string) tea.Cmd
	// LastChange goes to where an expression changed last, ValueHistory lists its values.
	LastChange(expression string) tea.Cmd
	ValueHistory(expression string) tea.Cmd
	// Grid shows an array or a data frame as rows and columns, Lists a list of equally long lists.
	// shown is false for any other value.
	Grid(name, expression, text string) (cmd tea.Cmd, shown bool)
	Lists(name, text string) (shown bool)
}

// Running is a command that is under way.
type Running struct {
	What     string
	Since    time.Time
	Asked    bool       // it was asked to stop
	Long     bool       // it has run for so long that the screen says so
	Waits    bool       // for the program's input
	Unseen   bool       // hide the input that it waits for: a password
	Reads    *dsl.Frame // the line that waits for it, nil if it is not known
	Partial  *backend.Update
	Advised  bool          // fast-continue was suggested to the user
	Pace     *session.Pace // nil while there is nothing to say of it
	Spinning int
}

var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// Spinner turns while the command is under way.
func (r *Running) Spinner() string { return spinner[r.Spinning%len(spinner)] }

// Glyphs that more than one part of the screen has. They differ in shape, so that they
// can be told apart without colors.
const (
	GlyphBreakpoint  = "●"
	GlyphConditional = "◆"
	GlyphDisabled    = "○"
	GlyphHere        = "→"
	GlyphFrame       = "»"
	GlyphRaised      = "!" // the current line raises
	GlyphEllipsis    = "…"
	GlyphParted      = "≠" // prediction and CPython part
	// GlyphPredicted points at the line that a model predicts, where that is not the
	// line CPython is at.
	GlyphPredicted = "⇢"
)

// MostNameColumns are the columns that names of variables have at most.
const MostNameColumns = 18

// Style returns the theme's style for a role.
func (s *Screen) Style(r themes.Role) draw.Style { return s.Theme.Style(r) }

// FocusStyles returns those of the title that has the keyboard: of its line, and of
// the word, which alone is reversed or underlined where the theme has it so. A
// line with either is a bar with a line through it, or two lines.
func (s *Screen) FocusStyles() (rule, word draw.Style) {
	word = s.Style(themes.Focus)
	rule = word
	rule.Attr &^= draw.Reverse | draw.Underline
	return rule, word
}

// Origin returns how a state of an origin is marked.
func (s *Screen) Origin(o dsl.Origin) draw.Style {
	switch o {
	case dsl.Predicted:
		return s.Style(themes.Predicted)
	case dsl.Inferred:
		return s.Style(themes.Inferred)
	case dsl.Edited:
		return s.Style(themes.Edited)
	case dsl.Given:
		return s.Style(themes.Given)
	}
	return s.Style(themes.Text)
}

// Frame returns the selected frame, false where there is none.
func (s *Screen) Frame() (session.ViewFrame, bool) {
	if s.View == nil || s.View.Selected < 0 {
		return session.ViewFrame{}, false
	}
	return s.View.Frames[s.View.Selected], true
}

// KeyFor returns the first key of an action, as a person reads it.
func (s *Screen) KeyFor(action string) string { return s.Keys.Key(action) }

// Copy puts a text on the terminal's clipboard (OSC 52).
func (s *Screen) Copy(text string) tea.Cmd {
	s.Flash = fmt.Sprintf("Copied %d characters.", len([]rune(text)))
	return tea.SetClipboard(text)
}

// Partial returns the state that a prediction has told so far; nil while there is none.
func (s *Screen) Partial() *dsl.Stop {
	if s.Running == nil || s.Running.Partial == nil {
		return nil
	}
	u := s.Running.Partial
	if u.Restarted || u.Known&dsl.KnownStack == 0 || u.Reply.Stop == nil {
		return nil
	}
	return u.Reply.Stop
}

// Stale reports whether the state that shows is about to be replaced by what a model is
// being asked for: until then it stays, dimmed.
func (s *Screen) Stale() bool {
	return s.Running != nil && s.View != nil && s.View.Mode == session.Predicted && (s.Running.Long || s.Partial() != nil)
}

// Lip returns Style for what lipgloss lays out.
func (s *Screen) Lip(r themes.Role) lipgloss.Style { return s.Theme.Lip(r) }

// Field returns an input without a look of its own.
func Field() textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.SetVirtualCursor(false)
	return in
}

// Position returns the cursor's place in an input in bytes.
func Position(in *textinput.Model) int {
	runes := []rune(in.Value())
	return len(string(runes[:min(in.Position(), len(runes))]))
}

// Hints returns keys and what they do, laid out in a row.
func (s *Screen) Hints(hints []keys.Hint) string {
	row := make([]string, len(hints))
	for i, h := range hints {
		row[i] = s.Lip(themes.HintKey).Render(strings.Join(h.Keys, " ")) + s.Lip(themes.Dim).Render(" "+h.Word)
	}
	return strings.Join(row, s.Lip(themes.Text).Render(strings.Repeat(" ", keys.HintGap)))
}
