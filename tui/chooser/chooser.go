// Package chooser is the start screen: it lists what can be debugged if npdb was started without a
// program.
package chooser

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/tour"
)

// Config holds the programs that the start screen offers.
type Config struct {
	Mode     string  // where states will come from, as the header shows it
	Tour     *Offer  // nil for none
	Recent   []Offer // the latest first
	Examples []Offer
	// Open prepares the program of a path, to begin at a place in it.
	Open func(path string, at Place) (*Program, error)
	// Traceback prepares the program and the state that a traceback describes.
	Traceback func(text string) (*Program, error)
}

// Place is a line at which a session begins, with its locals as a JSON object of reprs, "" for unknown
// ones. The zero Place is the first line of the program.
type Place struct {
	Line   int
	Locals string
}

// Offer is a program that can be chosen.
type Offer struct {
	Name, About string
	Note        string // at the right edge, where there is room
	Resumes     bool   // it has a session that can be resumed
	Open        func(resume bool) (*Program, error)
	// Path returns the path of the program's file; nil if it is none, but a module.
	Path func() (string, error)
}

// Program is a program that is ready to be debugged.
type Program struct {
	Session  session.Config
	Commands command.Config   // initial configuration of the commands
	Journal  *journal.Journal // the session to resume; nil for a new one
	Name     string           // for the header
	Consent  *Consent         // question to ask before it begins; nil for none
	// Tour is the tour through the program; nil for none. If the program cannot be started because of
	// err, the tour continues with the program that Instead opens.
	Tour    *tour.Tour
	Instead func(err error) (*Program, error)
}

// Consent is a question before a session begins.
type Consent struct {
	Question string
	// Answer stores the answer. It returns the session's configuration with that answer, and the
	// next question, nil for none.
	Answer func(yes bool) (session.Config, *Consent, error)
}

// Prepared is the message that a chosen program is ready, or that it cannot be debugged (Err).
type Prepared struct {
	Program *Program
	Err     error
}

// Screen is the list of offers, and the error of the last choice.
type Screen struct {
	*pane.Screen
	pane.Scroll
	Shown    bool
	config   Config
	welcomes bool // greets a new user
	list     []row
	high     []int // screen rows of each row of the list, at the last Draw
	above    int   // screen rows above the list, at the last Draw
	busy     bool  // a chosen program is being prepared
	fault    []string
}

// row is a row of the list.
type row struct {
	kind    rowKind
	heading string
	offer   *Offer
}

type rowKind uint8

const (
	gapRow rowKind = iota
	headingRow
	offerRow
	resumeRow // an offer's last session
	pathRow   // asks for a path
	tourRow
)

// New returns a start screen with the programs of c. With welcomes it greets a new user.
func New(s *pane.Screen, c Config, welcomes bool) *Screen {
	p := &Screen{Screen: s, config: c, Shown: true, welcomes: welcomes}
	heading := func(text string) {
		if len(p.list) > 0 {
			p.list = append(p.list, row{})
		}
		p.list = append(p.list, row{kind: headingRow, heading: text})
	}
	offers := func(list []Offer) {
		for i := range list {
			p.list = append(p.list, row{kind: offerRow, offer: &list[i]})
		}
	}
	if len(c.Recent) > 0 {
		heading("recent programs")
		last := c.Recent[0]
		if last.Resumes {
			last.About, last.Note = "where its last session ended", ""
			last.Name = "resume " + last.Name
			p.list = append(p.list, row{kind: resumeRow, offer: &last})
		}
		offers(c.Recent)
	}
	if c.Tour != nil {
		heading("the tour")
		p.list = append(p.list, row{kind: tourRow, offer: c.Tour})
	}
	if len(c.Examples) > 0 {
		heading("examples")
		offers(c.Examples)
	}
	heading("another program")
	p.list = append(p.list, row{kind: pathRow})
	p.Cursor = 1
	return p
}

// Mode returns the mode of the session.
func (p *Screen) Mode() string { return p.config.Mode }

// Act runs an action on the row at the cursor; done is false for other actions. It does nothing
// while a program is being prepared.
func (p *Screen) Act(action string) (cmd tea.Cmd, done bool) {
	before := p.Cursor
	switch {
	case p.busy:
		return nil, true
	case p.Move(action, len(p.list)):
		p.skip(p.Cursor - before)
		return nil, true
	}
	switch action {
	case "open-program":
		return p.choose(p.list[p.Cursor].kind == resumeRow), true
	case "resume-program":
		if !p.Resumes() {
			p.Flash = "There is no session of it to take up."
			return nil, true
		}
		return p.choose(true), true
	case "type-path":
		p.Type(keys.Path, "")
		return nil, true
	case "begin-at":
		return p.typePlace(), true
	}
	return nil, false
}

// Resumes reports whether the program at the cursor has a session to resume.
func (p *Screen) Resumes() bool {
	o := p.list[p.Cursor].offer
	return o != nil && o.Resumes
}

// Does describes what opening the row at the cursor does, and whether there is a session to
// resume.
func (p *Screen) Does() (word string, resumes bool) {
	switch p.list[p.Cursor].kind {
	case resumeRow:
		return "resume", false
	case pathRow:
		return "type", false
	case tourRow:
		return "play", false
	}
	return "debug", p.Resumes()
}

// skip moves past a row that cannot be chosen.
func (p *Screen) skip(direction int) {
	p.Cursor = max(p.Cursor, 1) // the first row is a heading
	for p.list[p.Cursor].kind <= headingRow {
		if direction < 0 {
			p.Cursor--
		} else {
			p.Cursor++
		}
	}
}

// choose opens the program under the cursor, or asks for a path.
func (p *Screen) choose(resume bool) tea.Cmd {
	offer := p.list[p.Cursor].offer
	if offer == nil {
		p.Type(keys.Path, "")
		return nil
	}
	return p.prepare(func() (*Program, error) { return offer.Open(resume) })
}

// OpenPath opens the program of a typed path, which a line and its locals may follow: see place.go.
func (p *Screen) OpenPath(typed string) tea.Cmd {
	return p.prepare(func() (*Program, error) {
		path, at, err := parsePlace(typed)
		if err != nil {
			return nil, err
		}
		return p.config.Open(path, at)
	})
}

// OpenTraceback opens the program that a pasted traceback describes.
func (p *Screen) OpenTraceback(text string) tea.Cmd {
	return p.prepare(func() (*Program, error) { return p.config.Traceback(text) })
}

func (p *Screen) prepare(open func() (*Program, error)) tea.Cmd {
	p.busy, p.fault = true, nil
	return func() tea.Msg {
		program, err := open()
		return Prepared{program, err}
	}
}

// Leave closes the list for the chosen program.
func (p *Screen) Leave() { p.busy, p.Shown = false, false }

// Fail shows why a program cannot be debugged, and the list again.
func (p *Screen) Fail(err error) {
	p.busy, p.Shown = false, true
	text := err.Error()
	var start *trace.StartError
	if errors.As(err, &start) && start.Traceback != "" {
		text = strings.TrimRight(start.Traceback, "\n") + "\n" + text
	}
	p.fault = strings.Split(text, "\n")
}

// Click moves the cursor to the clicked row. If it is there already, Click opens the row.
func (p *Screen) Click(y int) tea.Cmd {
	y -= p.above
	at := p.Top
	for at < len(p.high) && y >= p.high[at] {
		y -= p.high[at]
		at++
	}
	if p.busy || y < 0 || at >= len(p.high) || p.list[at].kind <= headingRow {
		return nil
	}
	if at == p.Cursor {
		return p.choose(p.list[at].kind == resumeRow)
	}
	p.Cursor = at
	return nil
}

// Wheel scrolls.
func (p *Screen) Wheel(rows int) { p.Scroll.Wheel(rows, len(p.list)) }

// Draw draws the list, below the welcome and above the error.
func (p *Screen) Draw(a *draw.Area) {
	w, h := a.Size()
	p.above = 0
	if p.welcomes && h > 8 {
		words := "Welcome to npdb. " + p.KeyFor("down") + " and " + p.KeyFor("up") + " choose a program, " + p.KeyFor("open-program") + " debugs it."
		a.Sub(draw.Rect{X: 1, Y: 1, W: w - 2, H: 1}).Styled(p.Lip(themes.Notice).Render(p.Measure.Cut(words, w-2)))
		p.above = 3
	}
	h -= p.above
	if fault := p.faultBox(w, h/2); fault != "" {
		n := lipgloss.Height(fault)
		h -= n
		a.Sub(draw.Rect{Y: p.above + h, W: w, H: n}).Styled(fault)
	}
	blocks := p.blocks(min(w, mostColumns), h)
	p.Fit(len(blocks), h)
	if p.Cursor == p.Top && p.Cursor > 0 {
		p.Top-- // show its heading
	}
	y := 0
	for at := p.Top; at < len(blocks) && y < h; at++ {
		area := a.Sub(draw.Rect{Y: p.above + y, W: w, H: min(p.high[at], h-y)})
		area.Styled(blocks[at])
		if at == p.Cursor {
			area.Overlay(draw.Rect{W: w, H: p.high[at]}, p.Style(themes.CurrentLine))
		}
		y += p.high[at]
	}
}

// faultBox describes why a program cannot be debugged, in a limited number of rows of which the
// last ones are kept.
func (p *Screen) faultBox(w, most int) string {
	n := min(len(p.fault), most)
	if n <= 0 {
		return ""
	}
	style := p.Lip(themes.Error)
	rows := []string{style.Render("it cannot be debugged")}
	for _, line := range p.fault[len(p.fault)-n:] {
		rows = append(rows, p.Lip(themes.Text).Render(p.cell(line, w-3)))
	}
	return lipgloss.NewStyle().Border(lipgloss.ThickBorder(), false, false, false, true).BorderForeground(style.GetForeground()).
		PaddingLeft(1).Render(lipgloss.JoinVertical(lipgloss.Left, rows...))
}
