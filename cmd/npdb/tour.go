package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/tui"
	"github.com/npdb/npdb/tui/chooser"
	"github.com/npdb/npdb/tui/tour"
)

const tourAbout = `npdb tour is an interactive introduction of five minutes. npdb debugs a small program
that fails, and a panel on the screen asks for one move after another: into a function,
to a breakpoint, to the failure, back to its cause, a prediction beside CPython, and a
past that a model infers. It names the keys that you have configured, and reports what
happened after each move.

You can do anything else in between: the tour waits. One key makes the move for you,
another closes the panel. The tour saves no breakpoints and no journal. Without Python
npdb shows the second half only, which runs no program.`

// tourSummary is the line that npdb prints after the tour.
const tourSummary = "npdb tour: %d of %d steps. npdb FILE debugs a program of yours, npdb alone offers examples."

func newTourCommand(stop *cli.Stopper) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "tour [flags]",
		Short: "Learn npdb in five minutes, on the screen",
		Long:  tourAbout,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return f.tour(cmd, stop) },
	}
	config.AddFlags(cmd.Flags(), "python", "theme", "key_profile")
	return cmd
}

// tour plays the tour.
func (f *flags) tour(cmd *cobra.Command, stop *cli.Stopper) error {
	if !hasScreen() {
		return errors.New("npdb tour needs a terminal that can show npdb's screen: run it in one, or debug without a screen with npdb --plain FILE")
	}
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	cli.Warn(c)
	return f.withStarter(c, stop, func(s *starter, t *tui.Config) error {
		p, err := s.openTour()
		if err != nil {
			return err
		}
		t.Session, t.Commands, t.Program, t.Tour, t.Instead = p.Session, p.Commands, p.Name, p.Tour, p.Instead
		return nil
	})
}

// tourOffer returns the tour's entry on the start screen.
func (s *starter) tourOffer() *chooser.Offer {
	return &chooser.Offer{
		Name: "npdb tour", About: "Five minutes of debugging, move by move.",
		Open: func(bool) (*chooser.Program, error) { return s.openTour() },
	}
}

// openTour prepares the tour. From then on the starter opens programs for the tour only: with CPython
// and npdb's own model, whatever the user has configured, without .pdbrc and without a journal.
func (s *starter) openTour() (p *chooser.Program, err error) {
	s.flags, s.config = &flags{noRC: true, forgets: true}, tourConfig(s.config)
	o, err := s.flags.anyProgram(s.config)
	if err != nil {
		return nil, err
	}
	if s.folder == "" {
		if s.folder, err = os.MkdirTemp("", "npdb-tour-"); err != nil {
			return nil, fmt.Errorf("the tour's program cannot be written: %w", err)
		}
	}
	o.Dir = s.folder
	if o.Script, err = tour.Write(s.folder); err != nil {
		return nil, err
	}
	if p, err = s.open(o, nil); err != nil {
		return nil, err
	}
	p.Tour = tour.New(o.Script, embedded.HasModel())
	if embedded.HasModel() {
		p.Instead = func(why error) (*chooser.Program, error) { return s.openInferredTour(o.Script, why) }
	}
	return p, nil
}

// openInferredTour prepares the second half of the tour, in which nothing runs. why is the error that
// kept the program from starting.
func (s *starter) openInferredTour(path string, why error) (*chooser.Program, error) {
	p, err := s.openTraceback(tour.Report(path))
	if err != nil {
		return nil, errors.Join(why, err)
	}
	first, _, _ := strings.Cut(why.Error(), "\n")
	p.Tour = tour.Inferred(path, first)
	return p, nil
}

// tourConfig returns the user's configuration with the defaults of all settings that the tour relies
// on.
func tourConfig(c config.Config) config.Config {
	c.Mode, c.Model.BaseURL, c.Model.Name, c.Model.Compute, c.Against = "", "", "", "auto", config.Against{}
	c.Record, c.Reprs, c.Thread, c.Children = "always", "auto", "", false
	return c
}
