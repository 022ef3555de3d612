package walk

import "github.com/npdb/npdb/trace"

// Leave is what the user says about sending a program to a model that is on another
// machine.
type Leave interface {
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

// Files lists the files of a program that a model is shown, by the names that it is shown,
// the main one first. Nothing is run.
func Files(o trace.Options) ([]string, error) {
	var p predictions
	if err := p.load(o); err != nil {
		return nil, err
	}
	names := make([]string, len(p.files))
	for i, f := range p.files {
		names[i] = f.Name
	}
	return names, nil
}
