package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Start is what the start screen offers, where npdb was given no program.
type Start struct {
	Mode     string  // where states will come from, as the header says it
	Recent   []Offer // the latest first
	Examples []Offer
	// Open prepares a program that was typed as a path.
	Open func(path string) (*Program, error)
}

// Offer is a program on the start screen.
type Offer struct {
	Name, About string
	Note        string // at the right edge, where there is room
	Resumes     bool   // there is a session of it to take up
	Open        func(resume bool) (*Program, error)
}

// Program is a program that is ready to be debugged.
type Program struct {
	Session  session.Config
	Commands command.Config   // to begin with
	Journal  *journal.Journal // to be resumed; nil for a fresh start
	Name     string           // as the header names it
}

// startScreen is the list of what can be debugged, and what went wrong with what
// was chosen.
type startScreen struct {
	pane.Scroll
	config Start
	rows   []startRow
	high   []int // how many rows of the screen each takes, as drawn last
	shown  bool
	busy   bool // a program was chosen
	fault  []string
}

// startRow is a row of the list.
type startRow struct {
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
)

// preparedMsg is a program that was chosen.
type preparedMsg struct {
	program *Program
	err     error
}

func newStartScreen(c *Start) *startScreen {
	p := &startScreen{config: *c, shown: true}
	heading := func(text string) {
		if len(p.rows) > 0 {
			p.rows = append(p.rows, startRow{})
		}
		p.rows = append(p.rows, startRow{kind: headingRow, heading: text})
	}
	offers := func(list []Offer) {
		for i := range list {
			p.rows = append(p.rows, startRow{kind: offerRow, offer: &list[i]})
		}
	}
	if len(c.Recent) > 0 {
		heading("recent programs")
		last := c.Recent[0]
		if last.Resumes {
			last.About, last.Note = "where its last session ended", ""
			last.Name = "resume " + last.Name
			p.rows = append(p.rows, startRow{kind: resumeRow, offer: &last})
		}
		offers(c.Recent)
	}
	if len(c.Examples) > 0 {
		heading("examples")
		offers(c.Examples)
	}
	heading("another program")
	p.rows = append(p.rows, startRow{kind: pathRow})
	p.Cursor = 1
	return p
}

// atStart reports whether the start screen shows.
func (m *Model) atStart() bool { return m.start != nil && m.start.shown }

// context is where keys go to when nothing is typed.
func (m *Model) context() keys.Context {
	if m.atStart() {
		return keys.Start
	}
	return m.pane(m.shape.focus).Context()
}

func (p *startScreen) key(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	a, ok := m.config.Keys.Lookup(keys.Start, msg)
	if !ok || p.busy {
		return nil
	}
	before := p.Cursor
	if p.Move(a.Name, len(p.rows)) {
		p.skip(p.Cursor - before)
		return nil
	}
	switch a.Name {
	case "open-program":
		return p.choose(m, p.rows[p.Cursor].kind == resumeRow)
	case "resume-program":
		if o := p.rows[p.Cursor].offer; o == nil || !o.Resumes {
			m.screen.Flash = "There is no session of it to take up."
			return nil
		}
		return p.choose(m, true)
	case "type-path":
		m.line.Start(keys.Path, "")
	case "cancel": // there is nothing to cancel but npdb
		return m.quit()
	default:
		return m.act(a.Name)
	}
	return nil
}

// skip leaves a row that cannot be chosen, in the direction of a move.
func (p *startScreen) skip(direction int) {
	p.Cursor = max(p.Cursor, 1) // the first row is a heading
	for p.rows[p.Cursor].kind <= headingRow {
		if direction < 0 {
			p.Cursor--
		} else {
			p.Cursor++
		}
	}
}

// choose opens what is under the cursor.
func (p *startScreen) choose(m *Model, resume bool) tea.Cmd {
	offer := p.rows[p.Cursor].offer
	if offer == nil {
		m.line.Start(keys.Path, "")
		return nil
	}
	return p.prepare(func() (*Program, error) { return offer.Open(resume) })
}

// openPath opens the program whose path was typed.
func (p *startScreen) openPath(m *Model, path string) tea.Cmd {
	if path = strings.TrimSpace(path); path == "" {
		m.screen.Flash = "A path is wanted, such as prog.py."
		return nil
	}
	m.line.Leave() // it stays, for the case that it cannot be opened
	return p.prepare(func() (*Program, error) {
		path, err := untilde(path)
		if err != nil {
			return nil, err
		}
		switch info, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("there is no file %s", path)
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, fmt.Errorf("%s is a folder", path)
		}
		return p.config.Open(path)
	})
}

func (p *startScreen) prepare(open func() (*Program, error)) tea.Cmd {
	p.busy, p.fault = true, nil
	return func() tea.Msg {
		program, err := open()
		return preparedMsg{program, err}
	}
}

// prepared starts the program that was chosen.
func (p *startScreen) prepared(m *Model, msg preparedMsg) tea.Cmd {
	p.busy = false
	if msg.err != nil {
		p.fail(m, msg.err)
		return nil
	}
	p.shown = false
	m.config.Session, m.config.Commands, m.config.Journal, m.config.Program = msg.program.Session, msg.program.Commands, msg.program.Journal, msg.program.Name
	m.engine.use(m.config.Session, m.config.Commands, m.config.Journal)
	m.source.Forget()
	return m.begin()
}

// fail shows why a program cannot be debugged, and the list again.
func (p *startScreen) fail(m *Model, err error) {
	p.shown, m.config.Program = true, ""
	text := err.Error()
	var start *trace.StartError
	if errors.As(err, &start) && start.Traceback != "" {
		text = strings.TrimRight(start.Traceback, "\n") + "\n" + text
	}
	p.fault = strings.Split(text, "\n")
}

// click chooses the row that is clicked on twice.
func (p *startScreen) click(m *Model, y int) tea.Cmd {
	if m.config.FirstRun && m.h > 10 {
		y -= 2
	}
	row := p.Top
	for row < len(p.high) && y >= p.high[row] {
		y -= p.high[row]
		row++
	}
	if p.busy || y < 0 || row >= len(p.high) || p.rows[row].kind <= headingRow {
		return nil
	}
	if row == p.Cursor {
		return p.choose(m, p.rows[row].kind == resumeRow)
	}
	p.Cursor = row
	return nil
}

// hints are the keys for the row under the cursor, as many as fit.
func (p *startScreen) hints(m *Model, columns int) []keys.Hint {
	open := "debug"
	row := p.rows[p.Cursor]
	switch row.kind {
	case resumeRow:
		open = "resume"
	case pathRow:
		open = "type"
	}
	list := []hinted{{open, []string{"open-program"}}}
	if row.kind == offerRow && row.offer.Resumes {
		list = append(list, hinted{"resume", []string{"resume-program"}})
	}
	return m.hintsOf(columns, append(list,
		hinted{"open a file", []string{"type-path"}}, hinted{"quit", []string{"quit"}}, hinted{"help", []string{"help"}}))
}

// startWords is what a newcomer should press before there is a program.
func (m *Model) startWords() string {
	return m.screen.KeyFor("down") + " and " + m.screen.KeyFor("up") + " choose a program, " + m.screen.KeyFor("open-program") + " debugs it."
}

// completePath lists how a path can go on.
func completePath(line string) tea.Cmd {
	return func() tea.Msg {
		dir, part := filepath.Split(line)
		folder, err := untilde(dir)
		if folder == "" {
			folder = "."
		}
		if err != nil {
			return completedMsg{line: line}
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			return completedMsg{line: line}
		}
		var words []string
		for _, e := range entries {
			name := e.Name()
			if !strings.HasPrefix(name, part) || part == "" && strings.HasPrefix(name, ".") {
				continue
			}
			info, err := os.Stat(filepath.Join(folder, name)) // of what a link leads to
			switch {
			case err != nil:
			case info.IsDir():
				words = append(words, name+string(filepath.Separator))
			case filepath.Ext(name) == ".py" || part != "" && !strings.Contains(name, "."):
				words = append(words, name)
			}
		}
		return completedMsg{line, len(dir), words}
	}
}

// untilde has the home in the place of a ~ that begins a path.
func untilde(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return home + rest, nil
}
