package session

import (
	"fmt"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
)

// keepScore adds the session's score to those that are kept.
func (s *Session) keepScore() error {
	l := &s.ledger
	spent, other := s.Spent(), s.accountOf(s.cfg.Against).Spent
	answers := spent.Answers + other.Answers
	if s.cfg.StateDir == "" || l.Fresh.Moves() == 0 && answers == s.billed {
		return nil
	}
	kept := journal.Score{When: time.Now().UTC().Truncate(time.Second), Program: s.programID, Model: s.modelName(), First: l.First}
	kept.Score.Merge(&l.Fresh)
	if answers > s.billed && spent.Answers > 0 {
		kept.Spent = &spent
	}
	if answers > s.billed && other.Answers > 0 {
		kept.SpentAgainst = &other
	}
	kept.Against = s.againstName()
	if err := journal.KeepScore(s.cfg.StateDir, kept); err != nil {
		return err
	}
	l.Fresh, l.First, s.billed = score.Score{}, "", answers
	return nil
}

func (s *Session) modelName() string { return s.cfg.Neural.Called("the model") }

// againstName returns the model that stands in CPython's place, "" where CPython does.
func (s *Session) againstName() string {
	if s.cfg.Against == nil {
		return ""
	}
	return s.cfg.Against.Called(nav.OtherModel)
}

// modelNames names the model, and the one that it walks beside if that is one.
func (s *Session) modelNames() string {
	if other := s.againstName(); other != "" {
		return s.modelName() + " beside " + other
	}
	return s.modelName()
}

// Summary returns what the comparisons of the whole session came to, in a few lines of
// plain text; nil where nothing was compared.
func (s *Session) Summary() []string {
	sum := &s.ledger.Score
	if sum.Moves() == 0 {
		return nil
	}
	lines := []string{s.modelNames() + ": " + sum.Summary()}
	var both score.Calibration
	for _, inverse := range []bool{false, true} {
		c := sum.Calibration(inverse)
		both.Merge(&c)
	}
	if n := both.N(); n > 0 {
		stated, same := 0.0, 0
		for _, b := range both.Bins {
			stated += b.Confidence
			same += b.Same
		}
		right := score.Tally{N: n, Same: same} // in the words of the line above
		lines = append(lines, fmt.Sprintf("It was %.0f%% sure and %s right, over %s with a stated confidence.",
			100*stated/float64(n), right.Percent(), plural(n, "move", "moves")))
	}
	for i := range s.ledger.Entries {
		if p := s.ledger.Entries[i].Pair; p != nil && p.Verdicts.Count() > 0 {
			return append(lines, "First parted "+p.Divergence()+".")
		}
	}
	return append(lines, "They have not parted.")
}

// Spent returns what the model's answers took, and what was asked ahead of them.
func (s *Session) Spent() score.Spent { return s.account().Spent }

// account returns the model's account; the zero one where there is no model.
func (s *Session) account() nav.Account { return s.accountOf(s.cfg.Neural) }

func (s *Session) accountOf(n *nav.Neural) nav.Account {
	out := s.accounts.Of(n)
	if n != nil {
		out.Prefetch = s.prefetch.Spent(n)
	}
	return out
}

// Bill returns what the models' answers took in the whole session, in a few lines of plain text;
// nil where none was asked.
func (s *Session) Bill() []string {
	n := s.cfg.Neural
	if n == nil {
		return nil
	}
	own := s.account()
	lines := own.Lines()
	if len(lines) > 0 {
		lines[0] = askedBy(s.modelName(), n.Model()) + ": " + lines[0]
	}
	if other := s.cfg.Against; other != nil {
		account := s.accountOf(other)
		if more := account.Lines(); len(more) > 0 {
			lines = append(lines, askedBy(s.againstName(), other.Model())+": "+more[0])
			lines = append(lines, more[1:]...)
		}
	}
	return lines
}

// askedBy returns a model's name and the dialect in which it is asked, where that is known.
func askedBy(name string, m backend.Model) string {
	if m.Dialect == "" {
		return name
	}
	return name + ", asked by " + m.Dialect
}
