package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/beside"
	"github.com/npdb/npdb/tui/breakpoints"
	"github.com/npdb/npdb/tui/candidates"
	"github.com/npdb/npdb/tui/chooser"
	"github.com/npdb/npdb/tui/files"
	"github.com/npdb/npdb/tui/grid"
	"github.com/npdb/npdb/tui/help"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/line"
	"github.com/npdb/npdb/tui/locals"
	"github.com/npdb/npdb/tui/output"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/places"
	"github.com/npdb/npdb/tui/settings"
	"github.com/npdb/npdb/tui/source"
	"github.com/npdb/npdb/tui/tour"
)

// Model is the screen. It is a tea.Model.
type Model struct {
	config Config
	engine *engine

	w, h   int
	shape  shape
	layout layout
	// had is the latest layout without zoom and side-by-side view, hadFocus the focused pane in it.
	// filled is how many rows the locals and the stack have filled in the function filledIn.
	had      *layout
	hadFocus paneID
	filledIn string
	filled   [paneCount]int
	canvas   *draw.Canvas
	profile  colorprofile.Profile
	dark     bool
	mouse    bool // the mouse is npdb's, not the terminal's

	screen      *pane.Screen    // what the panes see
	start       *chooser.Screen // nil if the program was given
	columns     int             // width that the timeline was computed for
	terminal    [2]int          // last size sent to the program's terminal, in columns and rows
	orders      orders
	queue       []func() tea.Cmd // requests that wait for the running command
	interrupted bool             // the user interrupted the last move
	failed      error            // why the session could not be opened
	joined      bool             // the last stop was in mode both
	differs     bool             // the side-by-side view shows a difference to another state
	opened      bool             // the side-by-side view was open before that

	panes      [paneCount]pane.Pane // all except beside
	source     *source.Pane
	output     *output.Pane
	history    *places.History
	beside     *beside.Pane // replaces the locals while it is open
	candidates *candidates.Pane
	choice     candidatesChoice // whether the user wants to see the candidates
	timeline   *places.Timeline
	line       *line.Line // the line at the foot that text is typed into
	help       *help.Help // nil when it is closed
	page       *settings.Page
	files      *files.Files
	grid       *grid.Grid
	tour       *tour.Tour // nil without a tour
	loading    bool       // rows of the grid are loaded
	themes     *settings.Themes
	before     *themes.Theme // the theme before the list of themes was opened
	keeper     settings.Keeper
	// question is the open question of npdb, or nil.
	question *question
	told     []message // results of commands, shown until the next key
	flood    flood
	dropped  bool     // the last key was dropped
	changed  bool     // the screen may have changed since drawn
	drawn    tea.View // the last drawn view
}

// New returns a screen whose session is about to start.
func New(ctx context.Context, c Config) (*Model, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	m := &Model{
		config: c, engine: newEngine(ctx, c), mouse: !c.NoMouse, dark: true,
		profile: colorprofile.TrueColor, canvas: draw.NewCanvas(0, 0, draw.Runes),
		screen: &pane.Screen{Focused: keys.Source},
		shape:  shape{focus: sourcePane, shelf: localsPane}, tour: c.Tour,
	}
	s := m.screen
	m.bind(c.Keys)
	m.orders = orders{m}
	m.source, m.output, m.beside = source.New(s, !c.NoLineValues), output.New(s), beside.New(s)
	m.history = places.NewHistory(s)
	m.candidates = candidates.New(s)
	m.panes = [paneCount]pane.Pane{
		sourcePane: m.source, localsPane: locals.New(s), stackPane: places.NewStack(s), outputPane: m.output,
		historyPane: m.history, breakpointsPane: breakpoints.New(s), candidatesPane: m.candidates,
	}
	m.timeline, m.line = places.NewTimeline(s), line.New(s, c.HistoryFile)
	s.Orders, s.Type, s.ShowLine = m.orders, m.line.Start, m.showLine
	s.Focus = func(of keys.Context) tea.Cmd { return m.focus(m.paneOf(of)) }
	m.keeper = settings.NewKeeper(c.Settings.Keep)
	m.engine.picture = picture(c, m.engine.keys.Load)
	if c.Start != nil {
		m.start = chooser.New(m.screen, *c.Start, c.FirstRun)
	}
	err := m.retheme()
	return m, err
}

// retheme computes the colors again for the background and the terminal's abilities.
func (m *Model) retheme() error {
	theme, err := m.config.Theme(m.dark)
	if err != nil {
		return err
	}
	m.screen.Theme = theme.For(m.profile)
	return nil
}

// Init starts the program, if there is one already.
func (m *Model) Init() tea.Cmd {
	if m.atStart() {
		return tea.Batch(m.line.Load, tea.RequestBackgroundColor)
	}
	return tea.Batch(m.begin(), m.line.Load, tea.RequestBackgroundColor)
}

// Update handles a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyPressMsg); ok && m.flood.drops(m.config.Now()) {
		if m.flood.begins() {
			m.screen.Flash, m.changed = floodWords(), true
		}
		m.dropped = true
		return m, nil
	}
	m.dropped, m.changed = false, true
	cmd := m.take(msg)
	return m, cmd
}

// take handles messages of the terminal and the user.
func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if m.screen.Flash == m.sizeWords() {
			m.screen.Flash = "" // it was about the old size
		}
		msg = bounded(msg)
		m.w, m.h = msg.Width, msg.Height
		if words := m.sizeWords(); words != "" {
			m.screen.Flash = words
		}
		return m.relayout()
	case tea.BackgroundColorMsg:
		if m.dark != msg.IsDark() {
			m.dark = msg.IsDark()
			if m.themes != nil {
				return m.themes.OnBackground(m.dark)
			}
			m.complain(m.retheme())
		}
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
		m.complain(m.retheme())
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && (msg.Value.IsSet() || msg.Value.IsReset() || msg.Value.IsPermanentlySet()) {
			m.screen.Measure = draw.Clusters
		}
	case tea.KeyPressMsg:
		m.hush()
		return m.key(msg)
	case tea.PasteMsg:
		m.hush()
		return m.paste(msg)
	case tea.MouseClickMsg:
		m.hush()
		return m.click(msg.Mouse())
	case tea.MouseWheelMsg:
		return m.wheel(msg.Mouse())
	case tickMsg:
		if m.screen.Running != nil {
			m.screen.Running.Spinning++
			return tick()
		}
	default:
		return m.hear(msg)
	}
	return nil
}

// hear handles messages of the engine.
func (m *Model) hear(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case stopMsg:
		return m.stopped(msg)
	case failedMsg:
		m.screen.Running, m.queue = nil, nil
		if errors.Is(msg.err, context.Canceled) {
			msg.err = errStartGivenUp
		}
		return m.failToStart(msg.err)
	case chooser.Prepared:
		return m.prepared(msg)
	case chooser.Placing:
		m.start.Place(msg)
	case source.Learnt:
		m.source.Learn(msg)
	case files.Listed:
		if m.files != nil {
			m.files.List(msg)
		}
	case foundMsg:
		return m.found(msg)
	case gridMsg:
		return m.gridRead(msg)
	case loopMsg:
		return m.loopRead(msg)
	case editedMsg:
		return m.edited(msg)
	case beganMsg:
		return m.othersBegan(msg)
	case endedMsg:
		return m.othersEnded()
	case outputMsg:
		m.chunks(msg.answer.Chunks)
	case paceMsg:
		if m.screen.Running != nil {
			m.screen.Running.Pace = msg.pace
		}
		if msg.pace.Advice != "" {
			if m.screen.Running != nil {
				m.screen.Running.Advised = true
			}
			m.say(themes.Notice, msg.pace.Advice)
		}
	case inputMsg:
		m.chunks(msg.answer.Chunks)
		if m.screen.Running != nil {
			m.screen.Running.Pace = nil
			m.screen.Running.Waits, m.screen.Running.Reads, m.screen.Running.Unseen = true, msg.answer.Asks, msg.answer.Unseen
			if text, ok := m.line.Next(); ok {
				return m.sendInput(session.InputLine{Text: text + "\n"})
			}
		}
		return m.askInput()
	case landedMsg:
		return m.landed(msg.view)
	case progressMsg:
		if m.screen.Running != nil {
			m.screen.Running.Partial = &msg.update
		}
	case line.Completions:
		return m.completed(msg)
	case suspendedMsg:
		return m.resumed(msg)
	case settings.Listed:
		if m.themes != nil {
			return m.themes.List(msg)
		}
	case settings.Loaded:
		return m.tryTheme(msg)
	case settings.Kept:
		return m.kept(msg)
	case line.Past:
		m.line.Recall(msg)
	case line.NotKept:
		m.screen.Flash = "The history of commands cannot be kept: " + msg.Err.Error()
		m.output.Say(themes.Notice, m.screen.Flash)
	}
	return nil
}

// stopped shows the result of a command.
func (m *Model) stopped(msg stopMsg) tea.Cmd {
	m.replaced(msg.program)
	first, mortal := m.screen.View == nil, m.screen.View != nil && m.screen.View.PostMortem
	if r := m.screen.Running; r != nil && (r.Others || !msg.others) {
		if r.Asked {
			m.screen.Flash = "" // remove the message that the command is being stopped
		}
		m.screen.Running = nil
	}
	m.screen.View, m.timeline.Spans, m.columns = msg.view, msg.timeline, msg.columns
	m.continueTour(msg)
	for _, a := range msg.answers {
		if arrives(a) {
			m.supersede(first)
		}
		m.answered(a)
		if a.Quit && !msg.others {
			return tea.Quit
		}
	}
	if first {
		m.had = nil // that layout had no program
	}
	cmd := m.showStop()
	if listed := m.showListed(msg.answers); listed != nil {
		cmd = tea.Batch(cmd, listed)
	}
	if loop := m.showLoop(msg.answers); loop != nil {
		cmd = tea.Batch(cmd, loop)
	}
	m.lineStopped()
	if msg.skipped > 0 {
		m.output.Say(themes.Notice, english.Plural(msg.skipped, "line", "")+" after it: not run.")
	}
	if words := m.output.Unseen(m.layout.panes[outputPane].H > 1); m.screen.Flash == "" && len(m.told) == 0 {
		m.screen.Flash = words
	}
	if m.screen.View.PostMortem && !mortal {
		m.output.Hush()
		m.screen.Flash, m.told = "", []message{{themes.Error, m.mortalWords()}}
	}
	if first && m.config.FirstRun && m.tour == nil {
		m.welcome()
	}
	if ahead := m.orders.next(msg.answers); ahead != nil {
		return tea.Batch(cmd, ahead)
	}
	if turn := m.completeInTurn(); turn != nil {
		return tea.Batch(cmd, turn)
	}
	if m.columns != m.w {
		return tea.Batch(cmd, m.relayout())
	}
	return tea.Batch(cmd, m.tellSize())
}

// landed shows CPython's state while the model still predicts.
func (m *Model) landed(v *session.View) tea.Cmd {
	if m.screen.Running == nil || m.screen.View == nil {
		return nil
	}
	m.screen.Running.Pace = nil
	if b := m.screen.View.Beside; b != nil && b.Awaited {
		m.screen.Running.Partial = nil // it belongs to the move before
	}
	v.Waiting, v.Prompt = m.screen.View.Waiting, m.screen.View.Prompt
	m.screen.View = v
	return m.fillPanes()
}
