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

// patient is the time limit for a terminal's answers. It is long because a terminal may be on a slow
// connection.
const patient = 2 * time.Second

// inquire queries the terminal.
func (g *Given) inquire(ctx context.Context) (*answers, error) {
	return inquire(ctx, g.In, g.Out, cmp.Or(g.patience, patient))
}

// answers are a terminal's answers to the queries.
type answers struct {
	name       string                   // the terminal's name, or "" if it did not answer
	background *uv.BackgroundColorEvent // nil if it did not answer
	keyboard   bool                     // the terminal supports the kitty keyboard protocol
	clipboards bool                     // the terminal supports OSC 52
	modes      map[ansi.Mode]ansi.ModeSetting
	all        bool // the terminal answered the last query, which every terminal knows
}

// some reports whether the terminal answered any query.
func (a *answers) some() bool {
	return a.name != "" || a.background != nil || a.keyboard || len(a.modes) > 0
}

// questions returns the queries. Every terminal answers the last one, which marks the end
// of the answers.
func questions() string {
	q := ansi.RequestBackgroundColor + ansi.RequestNameVersion + ansi.RequestKittyKeyboard
	if !strings.Contains(os.Getenv("TERM_PROGRAM"), "Apple") { // it would display this query as text
		q += ansi.RequestModeMouseExtSgr
	}
	return q + ansi.RequestPrimaryDeviceAttributes
}

// inquire queries a terminal. Keys that are typed meanwhile are lost.
func inquire(ctx context.Context, in, out *os.File, patience time.Duration) (said *answers, err error) {
	switch kind := os.Getenv("TERM"); {
	case kind == "dumb":
		return nil, errors.New("TERM is dumb, and such a terminal would display the queries")
	case !inForeground(in):
		return nil, errors.New("npdb runs in the background, and the terminal belongs to another job")
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

// take stores an answer. It ignores other events, which are typed keys.
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
