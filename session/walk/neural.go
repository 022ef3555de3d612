package walk

import (
	"cmp"
	"context"
	"regexp"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Neural says how a program is predicted. No Python is started for it: the
// program's text is read, and nothing of it is run.
type Neural struct {
	Predictor backend.Predictor
	Format    *dsl.Format // nil is nd/1 with its own token names
	// Redact is what of a value that the user gives does not leave npdb.
	Redact []*regexp.Regexp
	// Filled are the values that a model gave to the parameters that --entry left
	// open, when they are known from a journal.
	Filled []string

	// Named is what a journal calls the model, while it tells no name.
	Named string
}

// OtherModel is what a model beside another one is called where it has no name.
const OtherModel = "another model"

// Called is the model's name, as it says or as a journal does, or another word
// where it is not known: a server is asked for it with the first question.
func (n *Neural) Called(other string) string { return cmp.Or(n.Model().Name, other) }

// Model is the predictor's, by the name that it had when the journal was written
// while it tells none.
func (n *Neural) Model() backend.Model {
	m := n.Predictor.Model()
	m.Name = cmp.Or(m.Name, n.Named)
	return m
}

// Spelling is how texts for the model are written.
func (n *Neural) Spelling() *dsl.Format {
	if n.Format == nil {
		return dsl.ND1
	}
	return n.Format
}

// fill gives the missing locals of a first state values: from a journal, else by
// asking the model.
func (n *Neural) fill(ctx context.Context, context *dsl.Node, first *dsl.Stop, missing []int) (*dsl.Stop, error) {
	if len(n.Filled) != len(missing) {
		filled, err := n.Predictor.Fill(ctx, context, first, missing, backend.Options{})
		if err != nil {
			return nil, err
		}
		n.Filled = nil
		for _, i := range missing {
			n.Filled = append(n.Filled, filled.Locals[i].Value)
		}
	}
	out := *first
	out.Locals = append([]dsl.Local(nil), first.Locals...)
	for k, i := range missing {
		out.Locals[i].Value = n.Filled[k]
	}
	return &out, nil
}

// redacted stands for what was taken out of a value.
const redacted = "<redacted>"

// Without takes what must not leave npdb out of a value.
func (n *Neural) Without(text string) string {
	for _, r := range n.Redact {
		text = r.ReplaceAllString(text, redacted)
	}
	return text
}
