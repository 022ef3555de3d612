package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// recordedWalk walks over a recording. The session's rec is it.
type recordedWalk struct{ *Session }

func (s *recordedWalk) states() states { return s.rec.Tree() }

func (s *recordedWalk) addFile(path string) (int, error) { return s.rec.AddFile(path) }

// admit makes a file user code that is passed over as a library's.
func (s *recordedWalk) admit(ctx context.Context, path string) (string, error) {
	if edge := s.rec.LiveEdge(); edge.End || s.rec.Exit() != nil {
		return "", nil // the next run has it from its start
	}
	answer, err := s.rec.Ask(ctx, 0, trace.VerbUserCode, path)
	var raised *trace.EvalError
	switch {
	case errors.As(err, &raised):
		return "", errorf(Refused, "%s", raised.Message)
	case err != nil || answer.Text == "":
		return "", err
	}
	return fmt.Sprintf("%s was passed over so far. It is user code from here on: what runs of it is recorded, and s goes into it.", escape.Line(path)), nil
}

// liveAt reports whether an event is the live edge, where the program waits.
func (s *recordedWalk) liveAt(event int) bool {
	edge := s.rec.LiveEdge()
	return !edge.End && s.rec.Exit() == nil && edge.Event == event
}

func (s *recordedWalk) exit(trace.Position) *dsl.Exit { return s.rec.Exit() }

func (s *recordedWalk) confidence(trace.Position) *float64 { return nil }

// interrupted says it in pdb's words where commands are typed.
func (s *recordedWalk) interrupted() string {
	if s.cfg.Key == nil {
		return "Program interrupted. (Use 'cont' to resume)."
	}
	return "Program interrupted; " + s.key("continue") + " goes on."
}

func (s *recordedWalk) origin(pos trace.Position) dsl.Origin {
	switch t := s.rec.Tree(); {
	case pos.End || pos.Event < 0 || pos.Event >= t.Len():
		return dsl.Real
	case t.At(pos.Event).Edited:
		return dsl.Edited
	case pos.Event == 0:
		return dsl.Given
	}
	return dsl.Real
}

// start runs the program up to its first state.
func (s *recordedWalk) start(ctx context.Context) error {
	o := s.cfg.Options
	if s.cfg.Options.Named = nil; o.Named == nil { // else a journal has them as they were
		o.Named = s.bps.Files()
	}
	rec, landing, err := s.cfg.Start(ctx, o)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.rec = rec
	s.mu.Unlock()
	s.begin()
	rec.Record(!s.unrecorded)
	if s.late = landing.Reason == trace.Begun; s.late {
		if s.opened {
			return s.comeToFirst(ctx)
		}
		return nil // First goes there, which can be interrupted
	}
	landing, err = s.feed(ctx, landing, nil) // with --entry a module can read before its first state
	if err != nil {
		return err
	}
	s.arrive(landing, nil)
	return nil
}

// comeToFirst goes to where --from says that the first state is.
func (s *Session) comeToFirst(ctx context.Context) error {
	s.opened = true
	if !s.late {
		return nil
	}
	s.late = false
	l, err := s.running(ctx, s.rec.Resume)
	if l, err = s.feed(ctx, l, err); err != nil {
		return err
	}
	l.Horizon, l.Boundary = 0, trace.NoBoundary
	s.arrive(l, nil)
	if l.End {
		s.notice("The program did not come to %s (--from).", escape.Line(s.cfg.Options.From))
	}
	return nil
}

// move asks the recording for one action, and feeds the program what it reads.
func (s *recordedWalk) move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	return s.moveTo(ctx, from, a)
}

// moveTo is move that some stops end before it lands.
func (s *recordedWalk) moveTo(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	word := a.String()
	s.answer.Action = &word // known already while the program waits for input
	if at := s.eventOf(from); s.atHole(at, a.Move) {
		return s.cross(at, from, a), nil
	}
	l, err := s.running(ctx, func(ctx context.Context) (trace.Landing, error) { return s.rec.Move(ctx, from, a, stops...) })
	l, err = s.feed(ctx, l, err)
	stopped := len(stops) > 0 && l.Reason == trace.HitBreakpoint
	if err == nil && lands(l) && !stopped && l.Position != from {
		s.led(from, a, l.Position)
	}
	return l, err
}

func (s *recordedWalk) rewind(ctx context.Context) error {
	return s.repeat(ctx, dsl.InvContinue, 1)
}

// gotoState goes to event N, or to where N% of the recording have passed.
func (s *recordedWalk) gotoState(ctx context.Context, arg string) error {
	text, percent := strings.CutSuffix(arg, "%")
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 || percent && n > 100 {
		return errorf(BadArgument, "goto %s", arg)
	}
	t := s.rec.Tree()
	if t.Len() == 0 {
		return errorf(ProgramOver, "The recording has no states")
	}
	edge := s.rec.LiveEdge()
	last := edge.Event
	if edge.End {
		last = t.Len() - 1
	}
	switch {
	case percent && n == 100:
		s.arrive(trace.Landing{Position: edge, Horizon: distance(s.pos, last, t)}, nil)
		return nil
	case percent:
		// Split so that ten million events times a hundred fit any int.
		n = last/100*n + last%100*n/100
	case edge.End && n > last:
		return errorf(BadArgument, "The recording ends at event %d", last)
	}
	return s.goTo(ctx, n)
}

// goTo makes an event the position. Behind the live edge that is free; beyond it
// the program runs there.
func (s *recordedWalk) goTo(ctx context.Context, event int) error {
	t := s.rec.Tree()
	edge := s.rec.LiveEdge()
	from := s.pos
	if s.recorded(event) {
		s.arrive(trace.Landing{Position: s.positionOf(event), Horizon: distance(from, event, t)}, nil)
		return nil
	}
	l, err := s.running(ctx, func(ctx context.Context) (trace.Landing, error) { return s.rec.Pass(ctx, event-edge.Event) })
	if l, err = s.feed(ctx, l, err); err != nil {
		return err
	}
	l.Horizon = distance(from, l.Event, t)
	s.arrive(l, nil)
	return nil
}

// recorded reports whether an event can be shown without running the program.
func (s *recordedWalk) recorded(event int) bool {
	edge := s.rec.LiveEdge()
	if edge.End || edge.PostMortem { // what unwound is recorded past the post-mortem stop
		return event < s.rec.Tree().Len()
	}
	return event <= edge.Event
}

// positionOf is an event as a position; the live edge keeps its marks.
func (s *recordedWalk) positionOf(event int) trace.Position {
	if edge := s.rec.LiveEdge(); !edge.End && edge.Event == event {
		return edge
	}
	return trace.Position{Event: event}
}

// distance counts the events between a position and an event, either way.
func distance(from trace.Position, event int, t *statetree.Tree) int {
	at := from.Event
	if from.End {
		at = t.Len()
	}
	return max(event-at, at-event)
}

func (s *recordedWalk) jump(ctx context.Context, arg string) error {
	if err := s.needLive("jump"); err != nil {
		return err
	}
	answer, err := s.rec.Ask(ctx, 0, trace.VerbJump, arg)
	if err != nil {
		var raised *trace.EvalError
		if errors.As(err, &raised) {
			return errorf(Refused, "Jump failed: %s", raised.Message)
		}
		return err
	}
	if answer.Landing != nil {
		s.arrive(*answer.Landing, nil)
	}
	return nil
}

func (s *recordedWalk) text() string { return "recorded text" }

// refuse says why something cannot be done behind the live edge, and where the
// live edge is.
func (s *recordedWalk) refuse(what, why string) error {
	if why == "" {
		why = "a recording cannot be changed, only the live program can run code"
	}
	edge := s.rec.LiveEdge()
	if edge.End || s.rec.Exit() != nil {
		return errorf(Refused, "%s: %s; the program is over, so only what was recorded is left (%s runs it again)", what, why, s.key("restart"))
	}
	return errorf(Refused, "%s: %s; this is event %d, the program waits at event %d (%s goes there)",
		what, why, s.pos.Event, edge.Event, s.key("goto 100%"))
}

func (s *recordedWalk) info() []string {
	t, edge := s.rec.Tree(), s.rec.LiveEdge()
	var lines []string
	switch {
	case s.pos.End:
		lines = append(lines, fmt.Sprintf("Here: the end, after event %d", t.Len()-1))
	case s.live():
		lines = append(lines, fmt.Sprintf("Here: event %d, the live edge", s.pos.Event))
	default:
		lines = append(lines, fmt.Sprintf("Here: event %d of the recording", s.pos.Event))
	}
	if exit := s.rec.Exit(); exit != nil {
		lines = append(lines, strings.SplitN(s.endText(exit), "\n", 2)[0])
	} else if !edge.End {
		lines = append(lines, fmt.Sprintf("The program waits at event %d", edge.Event))
	}
	lines = append(lines, fmt.Sprintf("Recorded: %s, %s bytes", plural(t.Len(), "event", "events"), thousands(int(t.Bytes()))))
	return append(lines, s.holes()...)
}

// statement behind the live edge: a bare expression shows its value, as p does.
func (s *recordedWalk) statement(ctx context.Context, text string, forced bool) error {
	if !forced && !s.pos.End {
		if done, err := s.showExpression(ctx, text); done {
			return err
		}
	}
	return s.needLive(text)
}

func (s *recordedWalk) place() Place {
	p := Place{Event: s.pos.Event, Events: s.rec.Tree().Len(), Live: -1, End: s.pos.End}
	if edge := s.rec.LiveEdge(); !edge.End && s.rec.Exit() == nil {
		p.Live = edge.Event
	}
	return p
}

func (s *recordedWalk) output(from, to int) []trace.Output { return s.rec.Output(from, to) }

func (s *recordedWalk) interrupt() {
	if r := s.Recording(); r != nil { // else it is still starting
		r.Interrupt()
	}
}

func (s *recordedWalk) kill() {
	if r := s.Recording(); r != nil {
		r.Kill()
	}
}

func (s *recordedWalk) close() error { return s.Recording().Close() }

func (s *recordedWalk) remembered(int) {}

func (s *recordedWalk) revisited(int) {}

func (s *recordedWalk) edited() {}

func (s *recordedWalk) displaced() {}

func (s *recordedWalk) beside() *Beside { return nil }
