package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui"
)

// hasScreen reports whether the terminal can show the screen: standard input and output
// are terminals, and TERM is set to one that is not text-only.
func hasScreen() bool {
	kind := os.Getenv("TERM")
	known := kind != "" || runtime.GOOS == "windows" // Windows does not set TERM
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())) && kind != "dumb" && known
}

// drawsUTF8 reports whether the environment says that the terminal's encoding is UTF-8.
func drawsUTF8(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(env(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin" // these systems use no other
}

// screen shows a session on the terminal until the user quits.
func (*flags) screen(s *starter, c *config.Loaded, stop *cli.Stopper) error {
	p := s.prepared
	t, err := tuiConfig(c)
	if err != nil {
		return err
	}
	ticks, ended := every(streamEvery)
	defer ended()
	s.ticks, p.session.Ticks = ticks, ticks
	onTerminal(&p.session.Options)
	if t.Consent, err = p.consent(); err != nil {
		return err
	}
	t.Session, t.Commands, t.Journal, t.Program = p.session, p.commands, p.journal, shownProgram(p.session.Options)
	t.Traceback = s.traceback
	return showScreen(t, stop)
}

// onTerminal gives the program its own terminal. TERM says that it shows text only,
// because the output pane is not a terminal emulator.
func onTerminal(o *trace.Options) {
	o.Terminal = &trace.Terminal{}
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	o.Env = []string{"TERM=dumb"}
	for _, v := range env {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "TERM", "COLUMNS", "LINES", "COLORTERM": // these describe npdb's terminal
		default:
			o.Env = append(o.Env, v)
		}
	}
}

// tuiConfig returns the screen's part of the configuration.
func tuiConfig(c *config.Loaded) (t tui.Config, err error) {
	t = tui.Config{NoMouse: !c.Mouse, NoLineValues: !c.LineValues, NoConfirm: !c.Confirm, FirstRun: firstRun(), Settings: settingsPage(c)}
	t.Theme = func(dark bool) (*themes.Theme, error) { return themes.Load(c.Theme, dark) }
	if dir := journal.StateDir(); dir != "" && c.CommandHistory {
		t.HistoryFile = filepath.Join(dir, "commands")
	}
	t.Keys, err = c.KeyMap()
	return t, err
}

// firstRun reports whether npdb has stored nothing yet.
func firstRun() bool {
	dir := journal.StateDir()
	_, err := os.Stat(dir)
	return dir != "" && errors.Is(err, fs.ErrNotExist)
}

// screenOptions are set by tests.
var screenOptions []tea.ProgramOption

// showScreen shows the screen and, after it ends, prints a summary line.
func showScreen(t tui.Config, stop *cli.Stopper) error {
	summary, err := tui.Run(stop.Ctx, t, screenOptions...)
	if errors.Is(err, tea.ErrProgramPanic) {
		return errors.New("this is a bug in npdb, not in your program; please report it with the text above. " +
			"Nothing you did is lost: npdb --resume goes on where the session was")
	}
	if err != nil {
		return err
	}
	if line := summaryLine(summary); line != "" {
		columns, _, err := term.GetSize(int(os.Stdout.Fd()))
		if err != nil {
			columns = cli.HelpWidth
		}
		fmt.Println(folded(cli.EscapeLines(line), columns))
	}
	return nil
}

// folded breaks lines longer than the given columns between words.
func folded(text string, columns int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if utf8.RuneCountInString(line) > columns {
			lines[i] = strings.Join(cli.Wrap(line, columns), "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// shownProgram returns the program's name for the header.
func shownProgram(o trace.Options) string {
	switch {
	case o.Script != "":
		return filepath.Base(o.Script)
	case o.Module != "":
		return "-m " + o.Module
	}
	text, _, _ := strings.Cut(strings.TrimSpace(o.Code), "\n")
	return "-c " + text
}

// summaryLine returns the text that stays on the terminal after the screen ends, with the
// model's score and cost below it. It returns "" if nothing was debugged.
func summaryLine(s *tui.Summary) string {
	if s.Shown == 0 {
		return ""
	}
	if s.TourSteps > 0 {
		return fmt.Sprintf(tourSummary, s.TourMade, s.TourSteps)
	}
	shown := cli.Count(s.Shown, "state")
	if s.Events > 0 { // a state shown twice counts twice
		shown = fmt.Sprintf("%s shown, %s recorded", shown, humanize.Comma(int64(s.Events)))
	} else {
		shown += " shown"
	}
	line := "npdb: " + s.Program + ", " + shown + ", left at " + s.Place + "."
	if s.File == "" && !s.Foreign {
		line += " npdb --resume goes on there."
	}
	for _, more := range []string{s.Score, s.Bill} {
		if more != "" {
			line += "\n" + more
		}
	}
	return line
}
