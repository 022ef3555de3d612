package doctor

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// patient is how long a terminal has to answer: some are far away.
const patient = 2 * time.Second

// inquire asks the terminal.
func (g *Given) inquire(ctx context.Context) (*answers, error) {
	return inquire(ctx, g.In, g.Out, cmp.Or(g.patience, patient))
}

// answers are what a terminal said when it was asked.
type answers struct {
	name       string                   // what it calls itself, "" where it does not
	background *uv.BackgroundColorEvent // nil where it did not say
	keyboard   bool                     // it knows the kitty protocol
	clipboards bool                     // it takes OSC 52
	modes      map[ansi.Mode]ansi.ModeSetting
	all        bool // the last question is answered, which every terminal knows
}

// some reports whether it said anything.
func (a *answers) some() bool {
	return a.name != "" || a.background != nil || a.keyboard || len(a.modes) > 0
}

// questions returns what a terminal is asked. The last one ends the answers.
func questions() string {
	q := ansi.RequestBackgroundColor + ansi.RequestNameVersion + ansi.RequestKittyKeyboard
	if !strings.Contains(os.Getenv("TERM_PROGRAM"), "Apple") { // which shows this one
		q += ansi.RequestModeMouseExtSgr
	}
	return q + ansi.RequestPrimaryDeviceAttributes
}

// inquire asks a terminal. What is typed meanwhile is lost.
func inquire(ctx context.Context, in, out *os.File, patience time.Duration) (said *answers, err error) {
	switch kind := os.Getenv("TERM"); {
	case kind == "dumb":
		return nil, errors.New("TERM is dumb, and such a terminal shows what it is asked")
	case !inForeground(in):
		return nil, errors.New("npdb runs in the background, and another job has the terminal")
	}
	state, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, term.Restore(int(in.Fd()), state)) }()
	reader, err := uv.NewCancelReader(in)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(out, questions()); err != nil {
		return nil, errors.Join(err, reader.Close())
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	said = &answers{modes: map[ansi.Mode]ansi.ModeSetting{}}
	events := make(chan uv.Event)
	over := make(chan error, 1)
	go func() {
		over <- uv.NewTerminalReader(reader, os.Getenv("TERM")).StreamEvents(ctx, events)
	}()
	for listening := ctx.Done(); ; {
		select {
		case e := <-events:
			if said.take(e); said.all && listening != nil {
				cancel()
			}
		case <-listening:
			reader.Cancel()
			listening = nil
		case err := <-over:
			return said, errors.Join(err, reader.Close())
		}
	}
}

// take notes an answer. What else comes was typed.
func (a *answers) take(e uv.Event) {
	switch e := e.(type) {
	case uv.TerminalVersionEvent:
		a.name = e.Name
	case uv.BackgroundColorEvent:
		if e.Color != nil {
			a.background = &e
		}
	case uv.KeyboardEnhancementsEvent:
		a.keyboard = true
	case uv.ModeReportEvent:
		a.modes[e.Mode] = e.Value
	case uv.PrimaryDeviceAttributesEvent:
		for _, has := range e {
			a.clipboards = a.clipboards || has == clipboardAttribute
		}
		a.all = true
	}
}
