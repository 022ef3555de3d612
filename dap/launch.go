package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
)

// Launch contains the attributes of a launch request. Exactly one of Program, Module and Recording is set.
type Launch struct {
	Program   string   `json:"program,omitempty"`   // path of a Python script
	Module    string   `json:"module,omitempty"`    // module to run, as python -m does
	Recording string   `json:"recording,omitempty"` // path of a recording (.npdb), which is opened without its program
	Args      []string `json:"args,omitempty"`      // the program's arguments
	Cwd       string   `json:"cwd,omitempty"`       // working directory
	// Env holds variables of the program's environment besides those of npdb. null removes a variable.
	Env         map[string]*string `json:"env,omitempty"`
	Python      string             `json:"python,omitempty"` // interpreter
	StopOnEntry bool               `json:"stopOnEntry,omitempty"`
	// From is the place where recording begins, as for npdb --from.
	From string `json:"from,omitempty"`
	// JustMyCode selects the files whose code is recorded and stepped into: those of the program's folder,
	// or if it is false those of libraries too. The default is true.
	JustMyCode *bool  `json:"justMyCode,omitempty"`
	Console    string `json:"console,omitempty"` // only internalConsole
	Mode       string `json:"mode,omitempty"`    // real, neural or both; by default real
	// StayAtEnd keeps the session after the program's end, so that one can go back from there. The default
	// is true if an uncaught exception has ended the program, or for a recording.
	StayAtEnd *bool `json:"stayAtEnd,omitempty"`
}

// internalConsole is the only console that npdb offers.
const internalConsole = "internalConsole"

// consoles are the consoles that the protocol's clients know.
var consoles = []string{"", internalConsole, "integratedTerminal", "externalTerminal"}

// check returns an error if attributes are missing or contradict each other.
func (l *Launch) check() error {
	given := 0
	for _, text := range []string{l.Program, l.Module, l.Recording} {
		if text != "" {
			given++
		}
	}
	switch {
	case given == 0:
		return errors.New("launch: no program is given: set program, module or recording")
	case given > 1:
		return errors.New("launch: set only one of program, module and recording")
	case !slices.Contains(consoles, l.Console):
		return fmt.Errorf("launch: console is %q: npdb has only %s", l.Console, internalConsole)
	case !slices.Contains([]string{"", string(session.Real), string(session.Predicted), string(session.Both)}, l.Mode):
		return fmt.Errorf("launch: mode is %q: set real, neural or both", l.Mode)
	case l.Recording != "" && l.Mode != "" && l.Mode != string(session.Real):
		return fmt.Errorf("launch: mode is %q, and a recording is shown without a model: leave mode out", l.Mode)
	}
	return nil
}

// Attach contains the attributes of an attach request.
type Attach struct {
	ProcessID   json.Number `json:"processId"` // of a running Python program; VS Code's ${command:pickProcess} is a text
	StopOnEntry bool        `json:"stopOnEntry,omitempty"`
	JustMyCode  *bool       `json:"justMyCode,omitempty"` // as for a launch request
}

// Target is what an Opener opens: a running process, or if Process is 0 the program of Launch.
type Target struct {
	Launch
	Process int
}

// Opened is an open session.
type Opened struct {
	Session  *session.Session
	Commands *command.Interpreter
	Backward bool         // moves backwards work
	Close    func() error // ends the session
}

// Opener opens a session on a program. It must call connect with the session's configuration before it
// opens the session.
type Opener func(ctx context.Context, t Target, connect func(*session.Config)) (*Opened, error)

// attach answers an attach request.
func (c *client) attach(r *request) (any, error) {
	var a Attach
	if err := r.into(&a); err != nil {
		return nil, &shownError{err}
	}
	pid, err := strconv.Atoi(a.ProcessID.String())
	if err != nil || pid <= 0 {
		return nil, &shownError{fmt.Errorf("attach: processId is %q: give the number of a running Python process", a.ProcessID)}
	}
	return nil, c.open("attach", Target{Launch: Launch{StopOnEntry: a.StopOnEntry, JustMyCode: a.JustMyCode}, Process: pid}, false)
}
