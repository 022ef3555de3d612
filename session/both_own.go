package session

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/compare"
)

// attribute says of what a prediction has wrong whether it may be the program's
// own: a value that comes from the clock or from random numbers is another one at
// each run, and nobody can foretell it. before is where the move began. Between two
// models there is no run.
func (s *bothWalk) attribute(verdicts compare.Verdicts, before, truth *dsl.Stop) {
	if s.rec == nil || verdicts.Count() == 0 {
		return
	}
	for i := range verdicts {
		v := &verdicts[i]
		if !v.Kind.Wrong() {
			continue
		}
		switch v.Field {
		case compare.Local:
			if t := s.varying(truth); t != nil {
				v.Own = t.Name(truth.Line, v.Name)
			}
		case compare.Value, compare.ExitException:
			if t := s.varying(truth); t != nil {
				v.Own = t.Line(truth.Line)
			}
		case compare.Outcome, compare.Event, compare.Line: // what decided where it goes
			if t := s.varying(before); t != nil {
				v.Own = t.Line(before.Line)
			}
		}
	}
}

// varying is what may vary in the file of a state, nil where its text is not known.
func (s *bothWalk) varying(at *dsl.Stop) *python.Varying {
	if at == nil {
		return nil
	}
	i := s.model.fileIndex(at.File)
	if i < 0 {
		return nil
	}
	if s.vary == nil {
		s.vary = map[int]*python.Varying{}
	}
	if s.vary[i] == nil {
		s.vary[i] = python.ReadVarying(s.model.files[i].Source)
	}
	return s.vary[i]
}
