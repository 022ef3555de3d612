package models

import (
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/session/journal"
)

// remembered stores the detected dialects of models in npdb's state folder.
type remembered struct{ stateDir string }

var _ openai.Memory = remembered{}

// Recall returns the stored dialect of a model. If it cannot be read, Recall returns false, so npdb
// detects the dialect again and overwrites the stored one.
func (r remembered) Recall(endpoint, model string) (openai.Learnt, bool) {
	d, ok, err := journal.FindDialect(r.stateDir, endpoint, model)
	return openai.Learnt{Dialect: openai.Dialect(d.Dialect), Why: d.Why, When: d.When}, ok && err == nil
}

// Keep stores the dialect of a model. It deletes the stored one if l has none.
func (r remembered) Keep(endpoint, model string, l openai.Learnt) error {
	if l.Dialect == "" {
		return journal.ForgetDialect(r.stateDir, endpoint, model)
	}
	return journal.KeepDialect(r.stateDir, journal.Dialect{
		Endpoint: endpoint, Model: model, Dialect: string(l.Dialect), Why: l.Why, When: l.When,
	})
}

// OnServer returns a predictor for a model on a server. If the configuration sets no dialect, the
// predictor uses the one that was detected and stored before.
func OnServer(o openai.Config) (*openai.Predictor, error) {
	if dir := journal.StateDir(); dir != "" {
		o.Memory = remembered{dir}
	}
	return openai.New(o)
}
