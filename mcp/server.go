package mcp

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/shared"
)

// Config configures a server.
type Config struct {
	Version string // of npdb
	// Open opens a session on a program.
	Open Opener
	// Patience is how long a call waits for its command if it has no seconds argument.
	Patience time.Duration
}

// Server offers npdb's tools. It may serve several clients at the same time.
type Server struct {
	cfg   Config
	desks desks
	mcp   *sdk.Server
}

// about tells an agent how to work with the tools.
const about = `npdb debugs Python programs forwards and backwards. Work from the failure back to its cause:
diagnose runs a program to its failure and shows where the values of the failing line came from; provenance follows
a value back to its origin; history lists the values that a name had; move goes back to where one of them was set.
Everything that ran is recorded, so backward moves, values and history of the past cost nothing and change nothing.
Prefer provenance, history and move to a place or a condition over single steps.`

// New returns a server without sessions. The sessions must be ended by Close.
func New(cfg Config) *Server {
	s := &Server{cfg: cfg}
	s.mcp = sdk.NewServer(&sdk.Implementation{Name: "npdb", Title: "npdb, a debugger for Python", Version: cfg.Version}, &sdk.ServerOptions{Instructions: about})
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(bool)}
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "diagnose",
		Description: "Run a program, a test (module pytest with args) or open a recording, up to its failure. Returns the uncaught exception, its frame and stack, the last change of each name in the failing line, and where its value came from. The session stays open, at the failure. Start here.",
	}, s.diagnose)
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "provenance",
		Description: "Where did the value of this expression come from? A chain of hops backwards through assignments, fields, elements, arguments and returns, to a literal, an input or a library call. Use it on a wrong value.",
		Annotations: reads,
	}, s.provenance)
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "history",
		Description: "All values that an expression has had up to here, the latest last, each with the line that set it and the event to go to.",
		Annotations: reads,
	}, s.history)
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "move",
		Description: "Move in the program's run, backwards or forwards: to the last or next place, to where a condition is true, to an event, or by a step. Backward moves run nothing. A forward move past the last recorded event runs the program. Call it once with a place or a condition instead of stepping.",
	}, s.move)
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "state",
		Description: "Where the session is: event, line, locals of one frame, call stack. With why, also the answer of the configured chat model to a question about the state, its claims checked against the recording.",
		Annotations: reads,
	}, s.state)
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "evaluate",
		Description: "The value of a Python expression here. In the past it is read from the recording, and nothing runs; where the program stands, CPython evaluates it in the frame.",
	}, s.evaluate)
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "predict",
		Description: "Ask the language model, without running anything and without a session, to which state an action leads from a given state of a program.",
		Annotations: reads,
	}, s.predict)
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "infer",
		Description: "Ask the language model which states may have come before a state that is not recorded: candidates with probabilities, each verified by following the program forward.",
	}, s.infer)
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "compare",
		Description: "Where do two runs, or the model's prediction and CPython, first differ? With recordings: two files. With a session in mode both: go on to the next divergence.",
	}, s.compare)
	sdk.AddTool(s.mcp, &sdk.Tool{
		Name:        "sessions",
		Description: "Open a program without running it, list or end sessions, or bookmark the current state with a note. A person sees bookmarks in the session's report.",
	}, s.sessions)
	return s
}

// Run serves one client on a transport until the client leaves or ctx ends.
func (s *Server) Run(ctx context.Context, t sdk.Transport) error { return s.mcp.Run(ctx, t) }

// Close ends all sessions.
func (s *Server) Close() error { return s.desks.close() }

// Handler serves clients by streamable HTTP. Each request must carry the token, as
// "Authorization: Bearer TOKEN". Handler refuses requests from web pages of other origins, and requests
// whose Host header does not name this machine.
func (s *Server) Handler(token string) http.Handler {
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.mcp }, &sdk.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true,
	})
	guarded := http.NewCrossOriginProtection().Handler(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "npdb mcp: the token is missing or wrong: send the header Authorization: Bearer TOKEN, with the token that npdb mcp printed", http.StatusUnauthorized)
			return
		}
		guarded.ServeHTTP(w, r)
	})
}

// At names the session that a call is about.
type At struct {
	Session    string  `json:"session,omitempty" jsonschema:"id of the session; may be left out if only one is open"`
	Hypothesis string  `json:"hypothesis,omitempty" jsonschema:"what you expect to see or want to test with this call; kept beside its answer as a bookmark"`
	Seconds    float64 `json:"seconds,omitempty" jsonschema:"how long to wait for the answer, at most 600; a longer command goes on, and move with action wait waits again"`
}

// do runs commands in a session and returns the commands' answers and where the session is afterwards.
// If a command fails, do returns its error. If the commands are still running, answers is nil and the
// Stop has Running set.
func (s *Server) do(ctx context.Context, at At, words string, f func(ctx context.Context, i *command.Interpreter) []*session.Answer) (*desk, []*session.Answer, *Stop, error) {
	d, err := s.desks.find(at.Session)
	if err != nil {
		return nil, nil, nil, err
	}
	if at.Hypothesis != "" {
		words += " (" + at.Hypothesis + ")"
	}
	j, finished, err := d.run(ctx, words, patienceOf(at.Seconds, s.cfg.Patience), func(ctx context.Context, i *command.Interpreter) []*session.Answer {
		answers := f(ctx, i)
		if at.Hypothesis != "" {
			answers = d.note(ctx, i, answers, at.Hypothesis)
		}
		return answers
	})
	stop, err := d.told(j, finished, err)
	if err != nil || !finished {
		return d, nil, stop, err
	}
	return d, j.answers, stop, nil
}

// told converts the results of run and goOn to where the session is, or to the command's error.
func (d *desk) told(j *job, finished bool, err error) (*Stop, error) {
	if err != nil {
		return nil, err
	}
	if !finished {
		return &Stop{Session: d.id, Number: -1, Running: d.progress()}, nil
	}
	switch {
	case errors.Is(j.err, shared.ErrEnded):
		return nil, &endedError{d.id}
	case errors.Is(j.err, shared.ErrKept):
		return nil, &keptError{d.id}
	case j.err != nil:
		return nil, fmt.Errorf("%q was interrupted before it began: a person's command was running", j.words)
	}
	for _, a := range j.answers {
		if a.Err != nil {
			return nil, commandError(a.Err)
		}
	}
	stop := d.stop(j.answers)
	stop.Number, stop.Person = j.event, d.shared.Did()
	return stop, nil
}

// commandError returns the error of a command as agents see it, with its kind.
func commandError(e *session.Error) error { return fmt.Errorf("%s (%s)", e.Message, e.Kind) }

// note bookmarks the state after a call that had a hypothesis.
func (d *desk) note(ctx context.Context, i *command.Interpreter, answers []*session.Answer, hypothesis string) []*session.Answer {
	d.mu.Lock()
	d.hypotheses++
	name := fmt.Sprintf("hypothesis-%d", d.hypotheses)
	d.mu.Unlock()
	a := i.Do(ctx, session.Mark{Name: name, Note: hypothesis})
	if a.Err != nil { // keep the answers of the call, which may contain an error that says more
		return answers
	}
	return append(answers, a)
}

// one returns a function that runs one command.
func one(c session.Command) func(ctx context.Context, i *command.Interpreter) []*session.Answer {
	return func(ctx context.Context, i *command.Interpreter) []*session.Answer {
		return []*session.Answer{i.Do(ctx, c)}
	}
}

var errNoExpression = errors.New("expression is missing: give a Python expression, for example a name of state's locals")
