package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// Config says what the screen shows and how.
type Config struct {
	// Session, Journal and Program say what is debugged, as in Program. With Start
	// they are left empty, and the user chooses.
	Session session.Config
	Journal *session.Journal
	Program string
	Start   *Start
	Keys    *keys.Map
	// Theme finds the colors for a dark or a light background.
	Theme func(dark bool) (*themes.Theme, error)
	// FirstRun says that npdb has never been used here: what to press is said.
	FirstRun bool
	// The mouse is the terminal's at first, or values at the ends of lines hidden.
	NoMouse, NoLineValues bool
	// HistoryFile is where the command line's history is kept; "" keeps none.
	HistoryFile string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Model is the screen. It is a tea.Model.
type Model struct {
	config Config
	engine *engine

	w, h    int
	shape   shape
	layout  layout
	canvas  *draw.Canvas
	measure draw.Measure
	profile colorprofile.Profile
	dark    bool
	theme   *themes.Theme // for the terminal's profile
	mouse   bool          // the mouse is npdb's, not the terminal's

	start    *startScreen  // nil if the program was given
	view     *session.View // nil until the program has started
	timeline []session.Span
	columns  int                            // that the timeline was cut for
	terminal [2]int                         // columns and rows that the program was told of
	running  *running                       // what is under way, nil if nothing is
	queue    []func() (what order, ok bool) // what was typed ahead; not ok if it means nothing any more
	failed   error                          // why the session could not be opened
	quits    bool
	joined   bool // the last stop had two sides

	panes  [paneCount]pane
	docs   documents
	source *source
	output *output
	line   line  // what is typed into, if anything is
	help   *help // nil when it is closed
	// question is what npdb asks, nil if nothing.
	question *question
	flash    string    // a word of the screen's own in the footer, until the next key
	told     []message // what commands came to, likewise
	search   *search   // what is looked for; nil if nothing is
}

// running is a command that is under way.
type running struct {
	what     string
	since    time.Time
	asked    bool       // it was asked to stop
	waits    bool       // for the program's input
	reads    *dsl.Frame // the line that waits for it, nil if it is not known
	partial  *backend.Update
	pace     *session.Pace // nil while there is nothing to say of it
	spinning int
}

// pane is one part of the screen. It draws below its title, and what it is told
// to do comes with the model it is part of.
type pane interface {
	title(m *Model) (name, more string)
	draw(m *Model, a *draw.Area, focused bool)
	// act does one of the actions of the pane's context, or one of moving about;
	// done is false for one that it does not know.
	act(m *Model, action string) (cmd tea.Cmd, done bool)
	// click is a click on a cell of the area that draw drew on.
	click(m *Model, x, y int) tea.Cmd
	wheel(m *Model, rows int)
	// stopped says that the session shows another stop.
	stopped(m *Model)
	context() keys.Context
}

// New is a screen on which the session is about to start.
func New(ctx context.Context, c Config) (*Model, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	m := &Model{
		config: c, engine: newEngine(ctx, c.Session, c.Journal), mouse: !c.NoMouse, dark: true,
		profile: colorprofile.TrueColor, canvas: draw.NewCanvas(0, 0, draw.Runes),
		shape: shape{focus: sourcePane, shelf: localsPane}, docs: documents{},
	}
	m.source, m.output = newSource(), newOutput()
	m.source.values = !c.NoLineValues
	m.panes = [paneCount]pane{
		sourcePane: m.source, localsPane: newLocals(), stackPane: newStack(), outputPane: m.output,
		historyPane: newHistory(), breakpointsPane: newBreakpoints(),
	}
	m.line = newLine(c.HistoryFile)
	m.engine.picture, m.engine.named = picture(c), m.named
	if c.Start != nil {
		m.start = newStartScreen(c.Start)
	}
	err := m.retheme()
	return m, err
}

// retheme takes the colors anew, for the background and what the terminal shows.
func (m *Model) retheme() error {
	theme, err := m.config.Theme(m.dark)
	if err != nil {
		return err
	}
	m.theme = theme.For(m.profile)
	return nil
}

// Init starts the program, if there is one already.
func (m *Model) Init() tea.Cmd {
	if m.atStart() {
		return tea.Batch(m.line.file.load, tea.RequestBackgroundColor)
	}
	return tea.Batch(m.begin(), m.line.file.load, tea.RequestBackgroundColor)
}

// begin starts the program, and shows its text meanwhile.
func (m *Model) begin() tea.Cmd {
	m.running = &running{what: "starting", since: m.config.Now()}
	return tea.Batch(m.engine.open(m.w), m.readMain(), tick())
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.take(msg)
	return m, cmd
}

// take takes what the terminal and the user say.
func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if m.flash == m.sizeWords() {
			m.flash = "" // they were about the size before
		}
		m.w, m.h = msg.Width, msg.Height
		if words := m.sizeWords(); words != "" {
			m.flash = words
		}
		return m.relayout()
	case tea.BackgroundColorMsg:
		if m.dark != msg.IsDark() {
			m.dark = msg.IsDark()
			m.complain(m.retheme())
		}
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
		m.complain(m.retheme())
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && (msg.Value.IsSet() || msg.Value.IsReset() || msg.Value.IsPermanentlySet()) {
			m.measure = draw.Clusters
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
		m.wheel(msg.Mouse())
	case tickMsg:
		if m.running != nil {
			m.running.spinning++
			return tick()
		}
	default:
		return m.hear(msg)
	}
	return nil
}

// hear takes what the engine says.
func (m *Model) hear(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case stopMsg:
		return m.stopped(msg)
	case failedMsg:
		m.running = nil
		if errors.Is(msg.err, context.Canceled) {
			msg.err = errStartGivenUp
		}
		if m.start != nil {
			m.start.fail(m, msg.err)
			return nil
		}
		m.failed = msg.err
		return tea.Quit
	case preparedMsg:
		return m.start.prepared(m, msg)
	case documentMsg:
		m.docs.learn(msg)
	case outputMsg:
		m.output.add(m, msg.answer.Chunks)
	case paceMsg:
		if m.running != nil {
			m.running.pace = msg.pace
		}
		if msg.pace.Advice != "" {
			m.tell(themes.Notice, msg.pace.Advice)
			m.output.say(themes.Notice, msg.pace.Advice)
		}
	case inputMsg:
		m.output.add(m, msg.answer.Chunks)
		if m.running != nil {
			m.running.pace = nil
			m.running.waits, m.running.reads = true, msg.answer.Asks
			if cmd, done := m.sendMore(); done {
				return cmd
			}
		}
		return m.askInput()
	case progressMsg:
		if m.running != nil {
			m.running.partial = &msg.update
		}
	case completedMsg:
		return m.completed(msg)
	case suspendedMsg:
		return m.resumed(msg)
	case pastMsg:
		m.line.recalls(msg)
	case pastFailedMsg:
		m.flash = "The history of commands cannot be kept: " + msg.err.Error()
		m.output.say(themes.Notice, m.flash)
	}
	return nil
}

// stopped shows what a command came to.
func (m *Model) stopped(msg stopMsg) tea.Cmd {
	first, mortal := m.view == nil, m.view != nil && m.view.PostMortem
	if m.running != nil && m.running.asked {
		m.flash = "" // that it is being stopped
	}
	m.running = nil
	m.view, m.timeline, m.columns = msg.view, msg.timeline, msg.columns
	for _, a := range msg.answers {
		m.output.answer(m, a)
		if a.Quit {
			m.quits = true
			return tea.Quit
		}
	}
	if both := m.view.Mode == session.Both; both != m.joined {
		m.joined, m.shape.beside, m.shape.scored = both, both, false
	}
	m.shape.over = m.view.Place.End
	m.layout = arrange(m.w, m.h, m.shape)
	cmd := m.docs.want(m.view)
	for _, p := range m.panes {
		p.stopped(m)
	}
	m.line.stopped(m)
	if msg.skipped > 0 {
		m.output.say(themes.Notice, plural(msg.skipped, "line")+" after it: not run.")
	}
	if words := m.output.hiddenWords(m); m.flash == "" && len(m.told) == 0 {
		m.flash = words
	}
	if m.view.PostMortem && !mortal {
		m.flash, m.told, m.output.told = "", []message{{themes.Error, m.mortalWords()}}, -1
	}
	if first && m.config.FirstRun {
		m.welcome()
	}
	if ahead := m.next(msg.answers); ahead != nil {
		return tea.Batch(cmd, ahead)
	}
	if turn := m.line.turn(m); turn != nil {
		return tea.Batch(cmd, turn)
	}
	if m.columns != m.w {
		return tea.Batch(cmd, m.relayout())
	}
	return tea.Batch(cmd, m.tellSize())
}

// relayout fits the layout to the screen, and the timeline to its width.
func (m *Model) relayout() tea.Cmd {
	m.layout = arrange(m.w, m.h, m.shape)
	told := m.tellSize()
	if m.view == nil || m.running != nil || m.columns == m.w || m.w == 0 {
		return told
	}
	return tea.Batch(told, m.work("", m.engine.survey(m.w)))
}

// tellSize tells the program how large the pane is that its output is shown in.
// While the pane does not show the program keeps its size.
func (m *Model) tellSize() tea.Cmd {
	r := m.layout.panes[outputPane]
	size := [2]int{r.W - 2, r.H - 1} // within the margins and below the title
	if m.view == nil || size[0] < 1 || size[1] < 1 || size == m.terminal {
		return nil
	}
	m.terminal = size
	return func() tea.Msg {
		m.engine.resize(size[0], size[1])
		return nil
	}
}

// complain shows an error in the footer.
func (m *Model) complain(err error) {
	if err != nil {
		m.flash = err.Error()
	}
}

// keyFor is the first key of an action, as a person reads it.
func (m *Model) keyFor(action string) string {
	if k := m.config.Keys.Keys(action); len(k) > 0 {
		return k[0]
	}
	return ":" + action
}

// welcome tells a newcomer what to press, below what the start had to say, such as
// which commands of a .pdbrc were run.
func (m *Model) welcome() {
	words := "Welcome to npdb: " + m.firstWords()
	if len(m.told) == 0 || m.outputShows() {
		m.flash = words
		return
	}
	m.told = append(m.told, message{themes.Notice, words})
}

// firstWords is what a newcomer should press.
func (m *Model) firstWords() string {
	return m.keyFor("step") + " steps, " + m.keyFor("next") + " next line, " +
		m.keyFor("next-back") + " back, " + m.keyFor("help") + " all keys"
}

// tickMsg turns the spinner.
type tickMsg struct{}

const spinEvery = 120 * time.Millisecond

func tick() tea.Cmd {
	return tea.Tick(spinEvery, func(time.Time) tea.Msg { return tickMsg{} })
}
