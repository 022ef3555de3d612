package session

import (
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/walk"
	"github.com/npdb/npdb/trace"
)

// journalOpen begins the session's journal, unless it has one.
func (s *Session) journalOpen() {
	if s.cfg.StateDir == "" || s.journal.Open() || s.replaying != nil {
		return
	}
	o := s.cfg.Options
	head := journal.Header{
		Program: s.programID, Source: journal.SourceHash(o), Breakpoints: s.bps.List, Options: journal.OptionsOf(o, s.cfg.StdinFile),
	}
	if n := s.cfg.Neural; n != nil && s.Mode() != Real {
		head.Mode, head.Model, head.Filled = string(s.Mode()), n.Called(""), n.Filled
		if other := s.cfg.Against; other != nil {
			head.Against, head.Filled = other.Called(walk.OtherModel), other.Filled
		}
	}
	w, unremoved, err := journal.Create(s.cfg.StateDir, head)
	s.journal = w
	if err != nil {
		s.notice("No journal is kept: %v", err)
	}
	if unremoved != nil {
		s.notice("An old journal could not be removed: %v", unremoved)
	}
}

// landingAt is a position as a journal has it.
func landingAt(p trace.Position, t walk.States) journal.Landing {
	if p.End || p.Event < 0 || p.Event >= t.Len() {
		return journal.Landing{End: true}
	}
	r := t.At(p.Event)
	return journal.Landing{Event: p.Event, Line: r.Line, File: t.Files()[r.File].Name}
}

// landed adds to the journal where a command led.
func (s *Session) landed() {
	l := landingAt(s.pos, s.states())
	l.Interrupted, l.Hole = s.chance.interrupted, s.chance.interrupted && s.chance.hole
	s.journal.Landing(l)
}
