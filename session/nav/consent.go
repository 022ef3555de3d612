package nav

import (
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace"
)

// Consent is what the user says about sending a program to a model that is on another
// machine.
type Consent interface {
	// Given reports whether it may be sent.
	Given() bool
	// Question is what the user is to be asked first, "" where that was answered or
	// there is nobody to ask.
	Question() string
	// Answer takes the answer, and keeps it. The error is why it cannot be kept; it holds
	// all the same.
	Answer(yes bool) error
	// Refusal says why nothing is sent, as long as leave is not given.
	Refusal() string
}

// Outgoing lists the files of a program that a model is told of, by the names that it is
// told, the main one first, and counts their literals that are redacted. Nothing is run.
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
