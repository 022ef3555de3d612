package policy

import (
	"fmt"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/trace/statetree"
)

// scene is a recording, prepared for walks through it.
type scene struct {
	tree    *statetree.Tree
	exit    dsl.Exit
	fatal   int
	program *dsl.Program
	lines   []dsl.Location // location of each line event, by event; Line is 0 for other events
}

func sceneOf(r *recorder.Recording) *scene {
	s := &scene{tree: r.Tree, exit: r.Exit, fatal: r.Fatal, program: r.Text()}
	s.lines = make([]dsl.Location, r.Tree.Len())
	for i := range s.lines {
		if at := r.Tree.At(i); at.Event == dsl.Line {
			s.lines[i] = dsl.Location{File: at.File, Line: at.Line}
		}
	}
	return s
}

func (s *scene) len() int { return len(s.lines) }

// stop returns the state at an event, with its stack. It returns an error if the event's
// line is not in the program's text.
func (s *scene) stop(i int) (*dsl.Stop, error) {
	stop := &dsl.Stop{State: *s.tree.State(i)}
	at := s.tree.At(i)
	if at.File >= len(s.program.Files) || stop.Line < 1 || stop.Line > len(s.program.Files[at.File].Lines) {
		return nil, fmt.Errorf("event %d lies on line %d of %s, which the program's text lacks", i, stop.Line, stop.File)
	}
	stop.Source = s.program.Files[at.File].Lines[stop.Line-1]
	frames := s.tree.Stack(i)
	stop.Stack = make([]dsl.Frame, len(frames))
	stop.Activations = make([]uint32, len(frames))
	for k, f := range frames {
		stop.Stack[k], stop.Activations[k] = f.Frame, f.Activation
	}
	return stop, nil
}

// reply returns the reply to a move that landed on a spot. stays reports that the move found nothing and
// stayed at the start.
func (s *scene) reply(to statetree.Spot, stays bool) (dsl.Reply, error) {
	switch {
	case stays:
		return dsl.Reply{Outcome: dsl.AtStart}, nil
	case to.End:
		return dsl.Reply{Outcome: dsl.Ended, Exit: &s.exit}, nil
	}
	stop, err := s.stop(to.Event)
	return dsl.Reply{Outcome: dsl.Landed, Stop: stop}, err
}
