package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/statetree"
)

// Peek shows where a model predicts that a move of the user leads, without making it. In real mode,
// the guess is compared with the truth when the user makes the move.
type Peek struct {
	Move dsl.Move `json:"move"`
}

func (c Peek) String() string { return words("peek", moveWord(c.Move)) }

// moveWord returns the command that makes a move, "" if there is none.
func moveWord(m dsl.Move) string {
	switch m {
	case dsl.Continue:
		return Continue{}.String()
	case dsl.InvContinue:
		return Continue{Inverse: true}.String()
	}
	return stepWords[m]
}

// Guess holds the result of Peek: a predicted state, and the locals in which it differs from the current
// state of the same function.
type Guess struct {
	*nav.Guess
	Changed []string
	here    map[string]string // the current values of the locals, nil if the function is another one
}

func (c Peek) run(ctx context.Context, s *Session) error {
	if moveWord(c.Move) == "" {
		return errorf(BadArgument, "peek: %s is no move that can be predicted", c.Move)
	}
	if s.position.selected != 0 && relative(c.Move) {
		return errorf(Refused, "%s: only moves of the newest frame are predicted (down selects it)", c)
	}
	ctx, done := s.program.interruptible(ctx)
	defer done()
	g, err := s.peek(ctx, s.program.nav.Begins(c.Move))
	switch {
	case errors.Is(err, context.Canceled) && s.program.stopping.Load():
		s.draft.answer.Interrupted = true
		s.draft.notice("The question was cancelled.")
		return nil
	case err != nil:
		return err
	}
	s.draft.answer.Peek = s.position.against(g)
	s.draft.say(s.position.peekText(c, s.draft.answer.Peek))
	return nil
}

// peek asks the model of the current mode where an action leads.
func (s *Session) peek(ctx context.Context, a dsl.Action) (*nav.Guess, error) {
	switch src := s.program.source().(type) {
	case *nav.Predicted:
		return src.Peek(ctx, s.position.pos, a)
	case *nav.Both:
		return src.Peek(ctx, s.position.pos, a)
	}
	if err := s.canAsk("peek"); err != nil {
		return nil, err
	}
	w, err := s.modelAside()
	if err != nil {
		return nil, err
	}
	return w.PeekAside(ctx, s.position.pos, a)
}

// canAsk returns an error if no model may be asked in real mode. The error's message begins with
// the name of the request, which is what.
func (s *Session) canAsk(what string) error {
	if s.cfg.Neural == nil {
		return errorf(Refused, "%s: there is no model to ask: give the address of its server with --base-url, or base_url in the configuration", what)
	}
	if why := s.Withheld(); why != "" {
		return errorf(Refused, "%s: %s", what, why)
	}
	return nil
}

// modelAside returns the source that compares guesses with the recording in real mode.
func (s *Session) modelAside() (*nav.Both, error) {
	if s.program.left == nil {
		w := s.newBoth(s.program.source())
		if err := w.Load(); err != nil {
			return nil, err
		}
		s.program.left = w
	}
	return s.program.left, nil
}

// against compares a guess with the current state of its function, if that is on the stack.
func (ps *position) against(g *nav.Guess) *Guess {
	out := &Guess{Guess: g}
	frames := ps.frames()
	if g.State == nil || g.State.Depth >= len(frames) || frames[g.State.Depth].Function != g.State.Function {
		return out
	}
	out.here = map[string]string{}
	for _, l := range ps.program.states().LocalsOf(frames[g.State.Depth].Activation, ps.pos.Event) {
		if !l.Hidden {
			out.here[l.Name] = l.Value
		}
	}
	for _, l := range g.State.Locals {
		if was, ok := out.here[l.Name]; !l.Hidden && (!ok || was != l.Value) {
			out.Changed = append(out.Changed, l.Name)
		}
	}
	return out
}

// peekText formats a guess: its location, then the locals of its state. A star marks a local that
// differs from the current one.
func (ps *position) peekText(c Peek, g *Guess) string {
	lines := []string{moveWord(c.Move) + " is predicted to lead to:", ps.guessPlace(g)}
	if g.State != nil {
		for _, l := range g.State.Locals {
			if l.Hidden {
				continue
			}
			line := fmt.Sprintf("  %s = %s", l.Name, shorten(l.Value, valueShown))
			if slices.Contains(g.Changed, l.Name) {
				line = "*" + line[1:]
				if was, ok := g.here[l.Name]; ok {
					line += fmt.Sprintf(" (here %s)", shorten(was, valueShown))
				}
			}
			lines = append(lines, line)
		}
	}
	if g.Recorded {
		lines = append(lines, "The recording has the true state: "+ps.draft.key(moveWord(c.Move))+" shows it.")
	}
	return strings.Join(lines, "\n")
}

// guessPlace formats the location of a guess like that of a stop.
func (ps *position) guessPlace(g *Guess) string {
	st := g.State
	switch {
	case g.Exit != nil:
		return markedAs("the end of the program, exit code "+fmt.Sprint(g.Exit.Code), g.Mark)
	case st == nil:
		return markedAs("the first state: nothing is before it", g.Mark)
	}
	path := st.File
	if i := slices.IndexFunc(ps.program.states().Files(), func(f statetree.File) bool { return f.Name == st.File }); i >= 0 {
		path = ps.program.states().Files()[i].Path
	}
	entry := fmt.Sprintf("> %s(%d)%s()", escape.Line(ps.pathWord(path)), st.Line, st.Function)
	before := ""
	switch {
	case st.Event == dsl.Call:
		before = "--Call--\n"
	case st.Event == dsl.Return:
		before = "--Return--\n"
		if st.Value != nil {
			entry += "->" + shorten(*st.Value, valueShown)
		}
	case st.Event == dsl.Exception && st.Value != nil:
		before = exceptionText(*st.Value) + "\n"
	}
	return before + markedAs(entry+"\n-> "+strings.TrimSpace(st.Source), g.Mark)
}

// compared reports which guesses of peek were right, if the last command made their moves, and which
// inferences of earlier runs were, if the recording has the truth now.
func (s *Session) compared() {
	if r := s.program.recorded(); r != nil && s.Mode() == Real {
		s.program.inferring.settle(r, s.position.pos, s.modelAside)
	}
	if s.program.left == nil {
		return
	}
	s.draft.answer.Peeked = s.program.left.Compared()
	for i := range s.draft.answer.Peeked {
		p := &s.draft.answer.Peeked[i]
		if p.Inferred {
			s.draft.notice("Now recorded: what %s led to from here. The inferred state: %s%s.", p.Action.String(), p.Sentence(), p.CandidateSentence())
			continue
		}
		s.draft.notice("peek: %s", p.Sentence())
	}
}
