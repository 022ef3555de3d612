package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui"
	"github.com/npdb/npdb/tui/keys"
)

// hasScreen reports whether the terminal can show the screen: both ends are one,
// and it is not one that takes text only.
func hasScreen() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("TERM") != "dumb"
}

// screen shows the session on the terminal until the user quits.
func (f *flags) screen(cfg session.Config, journal *session.Journal, c config, stop *stopper) error {
	bindings, err := keys.New("", nil, nil)
	if err != nil {
		return err
	}
	ticks, ended := every(streamEvery)
	defer ended()
	cfg.Ticks = ticks
	summary, err := tui.Run(stop.ctx, tui.Config{
		Session: cfg, Journal: journal, Program: shownProgram(cfg), Keys: bindings,
		Theme: func(dark bool) (*themes.Theme, error) { return themes.Load("npdb", dark) },
	})
	if err != nil {
		return err
	}
	fmt.Println(summaryLine(summary))
	return nil
}

// shownProgram is the program's name in the header.
func shownProgram(cfg session.Config) string {
	o := cfg.Options
	switch {
	case o.Script != "":
		return filepath.Base(o.Script)
	case o.Module != "":
		return "-m " + o.Module
	}
	return "-c"
}

// summaryLine is what is left on the terminal when the screen is gone.
func summaryLine(s *tui.Summary) string {
	text := fmt.Sprintf("npdb: %s shown", count(s.Shown, "state"))
	if s.Events > 0 {
		text += fmt.Sprintf(" of %s recorded", count(s.Events, "event"))
	}
	return text + ", the last at " + s.Place + ". npdb --resume goes on there."
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return humanize.Comma(int64(n)) + " " + what + "s"
}
