package session

import (
	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/score"
)

// ledger is what the session's model was asked, over restarts and changes of mode.
type ledger struct {
	entries []entry
	score   score.Score // of what was compared
	// What a journal replayed is left out of these: it was kept before.
	fresh score.Score
	first string // the first divergence in words; "" for none
}

// entry is a question that was put to the model.
type entry struct {
	node    *dsl.Node // the text with the answer at its end; nil where none can hold it
	guided  bool
	drifted bool  // the model was asked on another text than that of node
	pair    *pair // nil in neural mode, where
	made    *backend.Prediction
}

func (l *ledger) add(e entry, replayed bool) {
	l.entries = append(l.entries, e)
	p := e.pair
	if p == nil {
		return
	}
	l.score.Add(p.Action.Move, p.Verdicts, p.Horizon, p.confidence)
	if replayed {
		return
	}
	l.fresh.Add(p.Action.Move, p.Verdicts, p.Horizon, p.confidence)
	if l.first == "" && p.Verdicts.Count() > 0 {
		l.first = p.divergence()
	}
}
