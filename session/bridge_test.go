package session

import (
	"context"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
)

// Internals for the tests of this package. The tests are in another package, because they
// use pdb's language, which is above this one.
var (
	Cut           = cut
	ExceptionText = exceptionText
	Lookup        = lookup
	Shorten       = shorten
	ShortenBoth   = shortenBoth
	Spark         = spark
	SpanOf        = spanOf
	TellApart     = tellApart
)

const SparkWidth = sparkWidth

func (s *Session) AdviceFor(p *Pace, ran time.Duration) string { return s.pacing.advice(p, ran) }
func (s *Session) Advice() string                              { return s.pacing.advice(&Pace{}, 0) }
func (s *Session) CloseJournal()                               { s.journaling.writer.Close() }
func (s *Session) Configured() Config                          { return s.cfg }
func (s *Session) Asked() int                                  { return len(s.bills.ledger.Entries) }
func (s *Session) KeepScore() error                            { return s.bills.keepScore() }
func (s *Session) Stop()                                       { s.program.stopping.Store(true) }
func (s *Session) SetDir(dir string)                           { s.cfg.Options.Dir = dir }
func (s *Session) SetEntry(call string)                        { s.cfg.Options.Entry = call }

func (s *Session) SetKey(f func(string) string) { s.cfg.Key = f }
func (s *Session) SetWatches()                  { s.cfg.Watches = true }
func (s *Session) ForgetLoop()                  { s.looping.last = nil }
func (s *Session) SetLanded(f func(*View))      { s.cfg.Landed = f }

func (s *Session) Kept() (int, error) {
	kept, err := s.breakpoints.kept.Load()
	return len(kept), err
}

func (s *Session) AddScore(m dsl.Move, v compare.Verdicts, horizon int, sure *float64) {
	s.bills.ledger.Score.Add(m, v, horizon, sure)
}

func (s *Session) HistoryText(expr string, found []Change) string {
	return s.values.historyText(expr, expr, found, 0, len(found), false)
}

// RunNow runs a command even if the session would not begin it.
func (s *Session) RunNow(ctx context.Context, c Command) error { return c.run(ctx, s) }

func (s *Session) EndText(e *dsl.Exit) string { return s.position.endText(e) }
