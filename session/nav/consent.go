package nav

import (
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace"
)

// Consent asks the user whether a program may be sent to a model on another machine.
type Consent interface {
	// Given reports whether it may be sent.
	Given() bool
	// Question returns the question for the user, "" if it was answered or nobody can answer it.
	Question() string
	// Answer stores the answer. It holds even if it cannot be stored, which the error reports.
	Answer(yes bool) error
	// Refusal says why nothing is sent without consent.
	Refusal() string
}

// Outgoing lists the files of a program that are sent to a model, under the names that it sees,
// the main one first, and counts their redacted literals. Nothing is run.
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
