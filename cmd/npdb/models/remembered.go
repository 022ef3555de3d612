package models

import (
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/session/journal"
)

// remembered keeps how models are asked in npdb's state folder.
type remembered struct{ stateDir string }

var _ openai.Memory = remembered{}

// Recall finds a model. What cannot be read is found out again, and kept in its place.
func (r remembered) Recall(endpoint, model string) (openai.Learnt, bool) {
	d, ok, err := journal.FindDialect(r.stateDir, endpoint, model)
	return openai.Learnt{Dialect: openai.Dialect(d.Dialect), Why: d.Why, When: d.When}, ok && err == nil
}

// Keep keeps how a model is asked, or forgets it.
func (r remembered) Keep(endpoint, model string, l openai.Learnt) error {
	if l.Dialect == "" {
		return journal.ForgetDialect(r.stateDir, endpoint, model)
	}
	return journal.KeepDialect(r.stateDir, journal.Dialect{
		Endpoint: endpoint, Model: model, Dialect: string(l.Dialect), Why: l.Why, When: l.When,
	})
}

// OnServer returns a model on a server, which is asked as its configuration says, and where that
// leaves it open as npdb found it out before.
func OnServer(o openai.Config) (*openai.Predictor, error) {
	if dir := journal.StateDir(); dir != "" {
		o.Memory = remembered{dir}
	}
	return openai.New(o)
}
