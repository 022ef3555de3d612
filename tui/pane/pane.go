// Package pane defines what the panes of npdb's screen share: their interface, their access to the
// screen, a cursor in a list, and a search.
//
// A pane sees the screen only through this package, and no other pane.
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
	// Context returns the context of the keys while the pane has the focus.
	Context() keys.Context
	// Title returns the pane's title and text to follow it. It is called after Draw.
	Title() (name, more string)
	Draw(a *draw.Area, focused bool)
	// Act runs an action of the pane's context or one that moves the cursor; done is false for
	// others.
	Act(action string) (cmd tea.Cmd, done bool)
	// Click handles a click on a cell of the drawn area.
	Click(x, y int) tea.Cmd
	Wheel(rows int)
	// Stopped is called when the session shows another stop.
	Stopped()
	// Texts returns the texts for a search; At and GoTo return and move the cursor among them.
	Texts() (n int, text func(i int) string)
	At() int
	GoTo(i int)
}

// Sighted is a pane that may have more rows than fit. Sight returns the end of its title: which
// rows are visible, and news about the others; either may be "". It is called after Draw.
type Sighted interface {
	Sight() (shown, news string, role themes.Role)
}

// Sized is a pane that can count its rows for a width. Fills may stop counting at most.
type Sized interface {
	Fills(columns, most int) (rows int)
}

// Opener is a pane that can expand what hides the match at the cursor.
type Opener interface {
	OpenMatch(q *Search)
}

// Screen is what a pane sees of the screen, and how it acts on the screen.
type Screen struct {
	View    *session.View // nil until the program has started
	Theme   *themes.Theme // for the terminal's color profile
	Measure draw.Measure
	Keys    *keys.Map
	Flash   string       // a message in the last row, until the next key
	Focused keys.Context // the pane that keys act on
	Typing  bool         // the user types into the line at the foot
	Running *Running     // the running command, or nil
	Search  *Search      // the current search, or nil

	Orders Orders
	// Type opens the input line with a text.
	Type func(of keys.Context, text string)
	// ShowLine moves the source's cursor to a line of a file.
	ShowLine func(path string, line int) tea.Cmd
	// Focus focuses a pane, and makes it visible.
	Focus func(of keys.Context) tea.Cmd
}

// Orders are a pane's requests to the session. They wait while another one runs, and refer to what
// was visible when they were made.
type Orders interface {
	// GoTo shows an event of the recording; in neural mode a state of the history by its index.
	GoTo(event int) tea.Cmd
	// Visit shows a state of the history again, Diff compares it with the shown one, and Prune
	// removes its branch. Restore brings the branch back that was removed last.
	Visit(number int) tea.Cmd
	Diff(number int) tea.Cmd
	Prune(number int) tea.Cmd
	Restore() tea.Cmd
	// TakeCandidate shows another candidate of the backward move by its number.
	TakeCandidate(number int) tea.Cmd
	// SelectFrame selects a frame of the stack by its index in the view.
	SelectFrame(i int) tea.Cmd
	// ToggleBreakpoint sets a breakpoint on a line, or deletes those that are there.
	ToggleBreakpoint(path string, line int) tea.Cmd
	// EnableBreakpoint enables a breakpoint, or disables it if it is enabled.
	EnableBreakpoint(number int) tea.Cmd
	DeleteBreakpoint(number int) tea.Cmd
	// Display shows an expression at each stop, Undisplay ends that. BreakOnChange sets a
	// watchpoint on an expression.
	Display(expression string) tea.Cmd
	Undisplay(expression string) tea.Cmd
	BreakOnChange(expression string) tea.Cmd
	// LastChange goes to the last change of an expression, ValueHistory lists its values, Provenance
	// the hops by which its value came there.
	LastChange(expression string) tea.Cmd
	ValueHistory(expression string) tea.Cmd
	Provenance(expression string) tea.Cmd
	// Grid shows an array or a data frame as rows and columns, Lists a list of equally long lists.
	// shown is false for any other value.
	Grid(name, expression, text string) (cmd tea.Cmd, shown bool)
	Lists(name, text string) (shown bool)
}

// Running is the running command.
type Running struct {
	What     string
	Since    time.Time
	Others   bool       // the command is another user's, in a shared session
	Asked    bool       // the user asked it to stop
	Long     bool       // it has run for so long that the screen says so
	Waits    bool       // the program waits for input
	Unseen   bool       // the awaited input is a password: hide it
	Reads    *dsl.Frame // the frame that reads the input, nil if unknown
	Partial  *backend.Update
	Advised  bool          // fast-continue was suggested to the user
	Pace     *session.Pace // its progress, nil if there is none to show
	Spinning int
}

var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// Spinner returns the current character of an animation that runs with the command.
func (r *Running) Spinner() string { return spinner[r.Spinning%len(spinner)] }

// Glyphs that several parts of the screen use. Their shapes differ, so that they can be
// distinguished without colors.
const (
	GlyphBreakpoint  = "●"
	GlyphConditional = "◆"
	GlyphDisabled    = "○"
	GlyphHere        = "→"
	GlyphFrame       = "»"
	GlyphRaised      = "!" // the current line raises
	GlyphEllipsis    = "…"
	GlyphDiverged    = "≠" // prediction and CPython differ
	// GlyphPredicted marks the predicted line if CPython is at another one.
	GlyphPredicted = "⇢"
)

// MostNameColumns limits the columns of names.
const MostNameColumns = 18

// Style returns the theme's style for a role.
func (s *Screen) Style(r themes.Role) draw.Style { return s.Theme.Style(r) }

// FocusStyles returns the styles of the focused pane's title: of its line, and of the word, which
// alone may be reversed or underlined.
func (s *Screen) FocusStyles() (rule, word draw.Style) {
	word = s.Style(themes.Focus)
	rule = word
	rule.Attr &^= draw.Reverse | draw.Underline
	return rule, word
}

// Origin returns the style of an origin.
func (s *Screen) Origin(o dsl.Origin) draw.Style {
	switch o {
	case dsl.Predicted, dsl.Computed:
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

// Frame returns the selected frame; false if there is none.
func (s *Screen) Frame() (session.ViewFrame, bool) {
	if s.View == nil || s.View.Selected < 0 {
		return session.ViewFrame{}, false
	}
	return s.View.Frames[s.View.Selected], true
}

// KeyFor returns the first key of an action in readable form.
func (s *Screen) KeyFor(action string) string { return s.Keys.Key(action) }

// Copy copies a text to the terminal's clipboard (OSC 52).
func (s *Screen) Copy(text string) tea.Cmd {
	s.Flash = fmt.Sprintf("Copied %d characters.", len([]rune(text)))
	return tea.SetClipboard(text)
}

// Partial returns the part of a predicted state that has streamed in so far; nil if there is none.
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

// Stale reports whether a model is asked for the state that will replace the one shown, which is
// dimmed meanwhile.
func (s *Screen) Stale() bool {
	return s.Running != nil && s.View != nil && s.View.Mode == session.Predicted && (s.Running.Long || s.Partial() != nil)
}

// Lip returns a style for lipgloss.
func (s *Screen) Lip(r themes.Role) lipgloss.Style { return s.Theme.Lip(r) }

// Field returns an input without styles of its own.
func Field() textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.SetVirtualCursor(false)
	return in
}

// Position returns the cursor's position in an input in bytes.
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
