package session

import (
	"fmt"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
)

// bills counts the requests to the models, their cost and their accuracy.
type bills struct {
	cfg     *Config
	program *program

	ledger   nav.Ledger
	answers  nav.Known
	prefetch nav.Prefetch
	accounts nav.Accounts
	billed   int // number of answers whose cost was saved
}

// keepScore saves the session's accuracy and cost since the last call.
func (bl *bills) keepScore() error {
	l := &bl.ledger
	spent, other := bl.Spent(), bl.accountOf(bl.cfg.Against).Spent
	answers := spent.Answers + other.Answers
	if bl.cfg.StateDir == "" || l.Fresh.Moves() == 0 && answers == bl.billed {
		return nil
	}
	kept := journal.Score{When: time.Now().UTC().Truncate(time.Second), Program: bl.program.id, Model: bl.modelName(), First: l.First}
	kept.Score.Merge(&l.Fresh)
	if answers > bl.billed && spent.Answers > 0 {
		kept.Spent = &spent
	}
	if answers > bl.billed && other.Answers > 0 {
		kept.SpentAgainst = &other
	}
	kept.Against = bl.againstName()
	if err := journal.KeepScore(bl.cfg.StateDir, kept); err != nil {
		return err
	}
	l.Fresh, l.First, bl.billed = score.Score{}, "", answers
	return nil
}

func (bl *bills) modelName() string { return bl.cfg.Neural.Called("the model") }

// againstName returns the name of the second model that stands in for CPython, "" if there is none.
func (bl *bills) againstName() string {
	if bl.cfg.Against == nil {
		return ""
	}
	return bl.cfg.Against.Called(nav.OtherModel)
}

// modelNames returns the model's name, with the name of the second model if there is one.
func (bl *bills) modelNames() string {
	if other := bl.againstName(); other != "" {
		return bl.modelName() + " beside " + other
	}
	return bl.modelName()
}

// Summary describes the model's accuracy in this session in a few lines of plain text. It returns
// nil if nothing was compared.
func (bl *bills) Summary() []string {
	sum := &bl.ledger.Score
	if sum.Moves() == 0 {
		return nil
	}
	lines := []string{bl.modelNames() + ": " + sum.Summary()}
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
		right := score.Tally{N: n, Same: same} // formatted like the accuracy in the line above
		lines = append(lines, fmt.Sprintf("It was %.0f%% sure and %s right, over %s with a stated confidence.",
			100*stated/float64(n), right.Percent(), plural(n, "move", "moves")))
	}
	for i := range bl.ledger.Entries {
		if p := bl.ledger.Entries[i].Pair; p != nil && p.Verdicts.Count() > 0 {
			return append(lines, "First divergence: "+p.Divergence()+".")
		}
	}
	return append(lines, "No divergence.")
}

// Spent returns the cost of the model's answers, including prefetched ones.
func (bl *bills) Spent() score.Spent { return bl.account().Spent }

// account returns the account of the model's cost, a zero one without a model.
func (bl *bills) account() nav.Account { return bl.accountOf(bl.cfg.Neural) }

func (bl *bills) accountOf(n *nav.Neural) nav.Account {
	out := bl.accounts.Of(n)
	if n != nil {
		out.Prefetch = bl.prefetch.Spent(n)
	}
	return out
}

// Bill describes the cost of all models' answers in the session in a few lines of plain text. It
// returns nil without a model.
func (bl *bills) Bill() []string {
	n := bl.cfg.Neural
	if n == nil {
		return nil
	}
	own := bl.account()
	lines := own.Lines()
	if len(lines) > 0 {
		lines[0] = askedBy(bl.modelName(), n.Model()) + ": " + lines[0]
	}
	if other := bl.cfg.Against; other != nil {
		account := bl.accountOf(other)
		if more := account.Lines(); len(more) > 0 {
			lines = append(lines, askedBy(bl.againstName(), other.Model())+": "+more[0])
			lines = append(lines, more[1:]...)
		}
	}
	return lines
}

// askedBy returns a model's name with its dialect, if that is known.
func askedBy(name string, m backend.Model) string {
	if m.Dialect == "" {
		return name
	}
	return name + ", asked by " + m.Dialect
}
