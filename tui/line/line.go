// Package line is the input line of npdb's screen, for a command, a search, the program's input,
// or a path.
package line

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Line is the input line. While it is open the screen's Typing is set.
type Line struct {
	*pane.Screen
	of     keys.Context
	input  textinput.Model
	given  string                    // the text that the line was opened with
	left   map[keys.Context]string   // what was typed before the line was left
	past   map[keys.Context][]string // entered lines, the oldest first
	at     int                       // index in past; len(past) for a new line
	fresh  string                    // the new line, while an older one is shown
	offer  []string                  // completions
	file   *pastFile                 // stores commands beyond the session
	held   held                      // keys typed after a Tab, until its completion arrives
	more   []string                  // lines for the program's next reads of its input
	secret bool                      // typed text is neither shown nor kept, until the line closes
}

// Edited is the result of Key and Paste if the text has changed.
const Edited = "edited"

// New returns a closed line, whose history is kept in a file, "" for none.
func New(s *pane.Screen, historyFile string) *Line {
	return &Line{
		Screen: s, input: pane.Field(), left: map[keys.Context]string{}, past: map[keys.Context][]string{},
		file: &pastFile{path: historyFile},
	}
}

// Start opens the line with a text; "" restores the text that was left.
func (l *Line) Start(c keys.Context, text string) {
	if l.Typing && l.of != c {
		l.Leave() // the program asks for input while something else is typed
	}
	l.given = text
	if text == "" {
		text = l.left[c]
	}
	l.Typing, l.of, l.offer, l.held = true, c, nil, held{}
	l.at = len(l.past[c])
	l.set(text)
	l.input.Focus()
	l.Flash = ""
}

// Begin opens the command line with the first character of a command. Unlike the initial text of
// Start, it counts as typed.
func (l *Line) Begin(text string) {
	l.Start(keys.CommandLine, text)
	l.given = ""
}

// Hide clears the open line. Until the line closes, typed text is neither shown nor kept,
// because the program reads a password.
func (l *Line) Hide() {
	l.secret = true
	l.set("")
}

// Leave closes the line and keeps the typed text, but not the initial text.
func (l *Line) Leave() {
	if text := l.Text(); l.Typing && text != l.given && !l.secret {
		l.left[l.of] = text
	}
	l.shut()
}

func (l *Line) shut() {
	if l.secret {
		l.set("")
	}
	l.Typing, l.secret, l.held = false, false, held{}
}

// Close closes the line and drops its text.
func (l *Line) Close() {
	delete(l.left, l.of)
	l.shut()
}

// Is reports whether the line is open for a context.
func (l *Line) Is(c keys.Context) bool { return l.Typing && l.of == c }

// Text returns the text of the line.
func (l *Line) Text() string { return l.input.Value() }

// Before returns the text before the cursor.
func (l *Line) Before() string { return l.Text()[:pane.Position(&l.input)] }

func (l *Line) set(text string) {
	l.input.SetValue(text)
	l.input.CursorEnd()
}

// Key handles a key press, and returns the action that the screen has to do, "" for none.
func (l *Line) Key(msg tea.KeyPressMsg) (action string, cmd tea.Cmd) {
	a, ok := l.Keys.Lookup(l.of, msg)
	switch {
	case l.held.tab && (!ok || !leaves(a.Name)):
		l.held.msgs = append(l.held.msgs, msg)
		return "", nil
	case !ok:
		l.offer = nil
		return Edited, l.update(msg)
	}
	switch a.Name {
	case "older-command", "older-search":
		l.recall(-1)
	case "newer-command", "newer-search":
		l.recall(+1)
	case "find-command":
		l.find()
	case "leave-path", "leave-input":
		l.Leave()
	case "input-tab":
		return "", l.update(tea.PasteMsg{Content: glyphTab})
	default:
		return a.Name, nil
	}
	return "", nil
}

func (l *Line) update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	l.input, cmd = l.input.Update(msg)
	return cmd
}

// mostPasted limits the line after a paste, in bytes.
const mostPasted = 1 << 16

// bounded cuts a text to a number of bytes, between characters.
func bounded(text string, most int) string {
	if len(text) <= most {
		return text
	}
	most = max(most, 0)
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// Paste inserts text at the cursor.
func (l *Line) Paste(msg tea.PasteMsg) (action string, cmd tea.Cmd) {
	if l.held.tab {
		l.held.msgs = append(l.held.msgs, msg)
		return "", nil
	}
	text := ansi.Strip(strings.TrimRight(msg.Content, "\r\n"))
	if kept := bounded(text, mostPasted-len(l.Text())); len(kept) < len(text) {
		l.Flash = fmt.Sprintf("Too long: the first %s of %s were pasted.", humanize.IBytes(uint64(len(kept))), humanize.IBytes(uint64(len(text))))
		text = kept
	}
	switch l.offer = nil; l.of {
	case keys.CommandLine:
		text = inCommand.Replace(text)
	case keys.Input:
		text = inGlyphs.Replace(text)
	}
	return Edited, l.update(tea.PasteMsg{Content: text})
}

// GlyphNewline stands for a line end.
const GlyphNewline = "␤"

const glyphTab = "␉"

// Glyphs for characters that the line cannot hold, so that pasted text is visible as a whole
// before Enter.
var (
	inGlyphs  = strings.NewReplacer("\r\n", GlyphNewline, "\r", GlyphNewline, "\n", GlyphNewline, "\t", glyphTab)
	inCommand = strings.NewReplacer("\r\n", GlyphNewline, "\r", GlyphNewline, "\n", GlyphNewline, "\t", "    ")
	ofGlyphs  = strings.NewReplacer(GlyphNewline, "\n", glyphTab, "\t")
)

// Enter closes the line. It adds the text to the history, as fresh reports, unless it equals the
// last entry or begins with a space. lines is the text with glyphs converted back.
func (l *Line) Enter() (text, lines string, fresh bool) {
	text = l.Text()
	past := l.past[l.of]
	fresh = text != "" && !l.secret && (len(past) == 0 || past[len(past)-1] != text) && (l.of != keys.CommandLine || text[0] != ' ')
	if fresh {
		l.past[l.of] = append(past, text)
	}
	l.Close()
	return text, ofGlyphs.Replace(text), fresh
}

// Queue returns the first of several lines and keeps the others for the program's next reads of its
// input.
func (l *Line) Queue(lines string) (first string) {
	first, more, several := strings.Cut(lines, "\n")
	l.more = nil
	if several {
		l.more = strings.Split(more, "\n")
	}
	return first
}

// Next returns the next kept line; ok is false if there is none.
func (l *Line) Next() (text string, ok bool) {
	if len(l.more) == 0 {
		return "", false
	}
	text, l.more = l.more[0], l.more[1:]
	return text, true
}

// Drop forgets the kept lines.
func (l *Line) Drop() { l.more = nil }

// recall moves through the history.
func (l *Line) recall(by int) {
	past := l.past[l.of]
	if l.at == len(past) {
		l.fresh = l.Text()
	}
	l.at = min(max(l.at+by, 0), len(past))
	text := l.fresh
	if l.at < len(past) {
		text = past[l.at]
	}
	l.set(text)
}

// find goes to the next older command that contains the typed text.
func (l *Line) find() {
	past := l.past[l.of]
	if l.at == len(past) {
		l.fresh = l.Text()
	}
	for i := l.at - 1; i >= 0; i-- {
		if strings.Contains(past[i], l.fresh) {
			l.at = i
			l.set(past[i])
			return
		}
	}
}

// Indent indents the next line of a statement, if nothing is typed.
func (l *Line) Indent() {
	if strings.TrimSpace(l.Text()) == "" {
		l.set("    " + l.Text())
	}
}

// Draw draws the prompt, the text and a word after it, and returns the terminal's cursor.
func (l *Line) Draw(a *draw.Area, prompt string, word draw.Span) *tea.Cursor {
	w, _ := a.Size()
	prompt = l.Measure.Cut(prompt, max(w/2, 1))
	x := a.Text(0, 0, prompt, l.Style(themes.Prompt))
	text := l.Text()
	before := l.Measure.Width(l.Before())
	if l.secret {
		text, before = "", 0
		word = draw.Span{Text: "(what you type is not shown)", Style: l.Style(themes.Dim)}
	}
	scroll := max(before-(w-x-1), 0)
	end := x + a.Sub(draw.Rect{X: x, W: w - x, H: 1}).Spans(0, 0, []draw.Span{{Text: text, Style: l.Style(themes.Text)}}, scroll)
	if len(l.offer) > 0 {
		word = draw.Span{Text: strings.Join(l.offer, "  "), Style: l.Style(themes.Dim)}
	}
	if word.Text != "" && end+2 < w {
		a.Text(end+2, 0, l.Measure.Cut(word.Text, w-end-3), word.Style)
	}
	r := a.Rect()
	return tea.NewCursor(r.X+min(x+before-scroll, w-1), r.Y)
}
