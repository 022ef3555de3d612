package tui

import (
	"time"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/chooser"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/settings"
	"github.com/npdb/npdb/tui/tour"
)

// Config configures the screen.
type Config struct {
	// Session, Journal and Program describe the program, as in chooser.Program. With Start they are
	// empty, and the user chooses a program.
	Session session.Config
	Journal *journal.Journal
	Program string
	// Commands are the initial commands of a session.
	Commands command.Config
	// Consent is the question to ask before the session begins; nil for none.
	Consent *chooser.Consent
	Start   *chooser.Config
	// Tour is the tour to play, and Instead opens its second half, as in chooser.Program.
	Tour    *tour.Tour
	Instead func(err error) (*chooser.Program, error)
	// Join describes another user's session to join. Session is then empty. Join is nil if the screen has its
	// own session.
	Join *Join
	Keys *keys.Map // at the start; the user may change the profile
	// Theme returns the colors for a dark or a light background.
	Theme     func(dark bool) (*themes.Theme, error)
	Traceback Opener // nil if sessions cannot be replaced
	// FirstRun reports that npdb was never used here, so that it explains its keys.
	FirstRun bool
	// NoMouse leaves the mouse to the terminal, NoLineValues hides values at the ends of lines.
	NoMouse, NoLineValues bool
	// NoConfirm restarts the program without asking.
	NoConfirm bool
	// Settings configures the page of settings.
	Settings settings.Config
	// HistoryFile stores the command line's history; "" stores none.
	HistoryFile string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}
