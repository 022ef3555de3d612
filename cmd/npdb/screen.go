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

// hasScreen reports whether the terminal can show the screen: both ends are one,
// and it is not one that takes text only, or of which nothing is known.
func hasScreen() bool {
	kind := os.Getenv("TERM")
	known := kind != "" || runtime.GOOS == "windows" // which has none
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())) && kind != "dumb" && known
}

// drawsUTF8 reports whether the terminal's encoding has more than ASCII, as the
// environment says it.
func drawsUTF8(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(env(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin" // which have no other
}

// screen shows a session on the terminal until the user quits.
func (*flags) screen(p *prepared, c *config.Loaded, stop *cli.Stopper) error {
	t, err := tuiConfig(c)
	if err != nil {
		return err
	}
	ticks, ended := every(streamEvery)
	defer ended()
	p.session.Ticks = ticks
	onTerminal(&p.session.Options)
	if t.Consent, err = p.consent(); err != nil {
		return err
	}
	t.Session, t.Commands, t.Journal, t.Program = p.session, p.commands, p.journal, shownProgram(p.session.Options)
	return showScreen(t, stop)
}

// onTerminal gives the program a terminal of its own. It shows text only: the output pane
// is no emulator.
func onTerminal(o *trace.Options) {
	o.Terminal = &trace.Terminal{}
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	o.Env = []string{"TERM=dumb"}
	for _, v := range env {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "TERM", "COLUMNS", "LINES", "COLORTERM": // what they say is npdb's terminal
		default:
			o.Env = append(o.Env, v)
		}
	}
}

// tuiConfig returns what the configuration says about the screen.
func tuiConfig(c *config.Loaded) (t tui.Config, err error) {
	t = tui.Config{NoMouse: !c.Mouse, NoLineValues: !c.LineValues, NoConfirm: !c.Confirm, FirstRun: firstRun(), Settings: settingsPage(c)}
	t.Theme = func(dark bool) (*themes.Theme, error) { return themes.Load(c.Theme, dark) }
	if dir := journal.StateDir(); dir != "" && c.CommandHistory {
		t.HistoryFile = filepath.Join(dir, "commands")
	}
	t.Keys, err = c.KeyMap()
	return t, err
}

// firstRun reports whether npdb has kept nothing yet.
func firstRun() bool {
	dir := journal.StateDir()
	_, err := os.Stat(dir)
	return dir != "" && errors.Is(err, fs.ErrNotExist)
}

// screenOptions are for tests.
var screenOptions []tea.ProgramOption

// showScreen shows the screen and, when it is gone, a line on what came of it.
func showScreen(t tui.Config, stop *cli.Stopper) error {
	summary, err := tui.Run(stop.Ctx, t, screenOptions...)
	if errors.Is(err, tea.ErrProgramPanic) {
		return errors.New("this was a fault of npdb's own, not of your program; please report what stands above. " +
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

// folded returns a text whose lines are broken between words where they are longer than
// some columns.
func folded(text string, columns int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if utf8.RuneCountInString(line) > columns {
			lines[i] = strings.Join(cli.Wrap(line, columns), "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// shownProgram returns the program's name in the header.
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

// summaryLine returns what is left on the terminal when the screen is gone, with how the model
// did and what it took below it, "" where nothing was debugged.
func summaryLine(s *tui.Summary) string {
	if s.Shown == 0 {
		return ""
	}
	shown := cli.Count(s.Shown, "state")
	if s.Events > 0 { // a state shown twice counts twice
		shown = fmt.Sprintf("%s shown, %s recorded", shown, humanize.Comma(int64(s.Events)))
	} else {
		shown += " shown"
	}
	line := "npdb: " + s.Program + ", " + shown + ", left at " + s.Place + ". npdb --resume goes on there."
	for _, more := range []string{s.Score, s.Bill} {
		if more != "" {
			line += "\n" + more
		}
	}
	return line
}
