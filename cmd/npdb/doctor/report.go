package doctor

import (
	"errors"
	"strings"
)

// Report contains the facts that all checks have found.
type Report struct {
	Format   int       `json:"v"`
	Works    bool      `json:"works"` // no fact prevents npdb from working
	Sections []Section `json:"sections"`
}

// Section contains the facts about one subject.
type Section struct {
	Name  string `json:"name"`
	Took  int64  `json:"took_ms"`
	Facts []Fact `json:"facts"`
}

// Mark classifies a fact by its importance for the user.
type Mark string

// The marks: no problem (Right), information (Note), or something that does not work (Wrong).
const (
	Right Mark = "right"
	Note  Mark = "note"
	Wrong Mark = "wrong"
)

// Fact is one finding of a check.
type Fact struct {
	// Name is one of Names. Which distinguishes facts with the same name.
	Name  string `json:"name"`
	Which string `json:"which,omitempty"`
	Mark  Mark   `json:"mark"`
	Text  string `json:"text"`            // for people
	Do    string `json:"do,omitempty"`    // advice
	Value any    `json:"value,omitempty"` // the fact for programs, if it is not the text
	Fails bool   `json:"fails,omitempty"` // npdb cannot work because of it
}

// Label returns the name of the fact on the screen.
func (f Fact) Label() string {
	if f.Which != "" {
		return f.Which
	}
	return f.Name
}

// Count counts the facts with a mark.
func (r *Report) Count(m Mark) (n int) {
	for _, s := range r.Sections {
		for _, f := range s.Facts {
			if f.Mark == m {
				n++
			}
		}
	}
	return n
}

// Err returns an error that names the facts that prevent npdb from working, or nil.
func (r *Report) Err() error {
	var failing []string
	for _, s := range r.Sections {
		for _, f := range s.Facts {
			if f.Fails {
				failing = append(failing, s.Name+" ("+f.Label()+")")
			}
		}
	}
	if failing == nil {
		return nil
	}
	return errors.New("not all works here: " + strings.Join(failing, ", "))
}
