package nav

import (
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace"
)

// Consent asks the user whether a program may be sent to a model on another machine.
type Consent interface {
	// Given reports whether the user has consented.
	Given() bool
	// Question returns the question to the user. It is "" if the question was answered, or if
	// nobody can answer it.
	Question() string
	// Answer stores the user's answer. If storing fails, which the error reports, the answer still
	// holds for this session.
	Answer(yes bool) error
	// Refusal explains why nothing is sent without consent.
	Refusal() string
}

// Outgoing returns the names of a program's files that are sent to a model, the main file first,
// and the number of their redacted literals. Nothing is run.
func Outgoing(o trace.Options, r *redact.Redactor) (files []string, literals int, err error) {
	var p predictions
	if err := p.load(o); err != nil {
		return nil, 0, err
	}
	for _, f := range r.Program(p.program()).Files {
		files = append(files, f.Name)
	}
	literals, _ = r.Told()
	return files, literals, nil
}
