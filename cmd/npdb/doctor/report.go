package doctor

import (
	"errors"
	"strings"
)

// Report is all that was found.
type Report struct {
	Format   int       `json:"v"`
	Works    bool      `json:"works"` // no fact keeps npdb from its work
	Sections []Section `json:"sections"`
}

// Section is what was found about one thing.
type Section struct {
	Name  string `json:"name"`
	Took  int64  `json:"took_ms"`
	Facts []Fact `json:"facts"`
}

// Mark says what a fact means for who wants to debug.
type Mark string

// Right is as it should be, Note is worth knowing, Wrong keeps something from working.
const (
	Right Mark = "right"
	Note  Mark = "note"
	Wrong Mark = "wrong"
)

// Fact is one thing that was found.
type Fact struct {
	// Name is one of Names; Which tells apart facts that have the same one.
	Name  string `json:"name"`
	Which string `json:"which,omitempty"`
	Mark  Mark   `json:"mark"`
	Text  string `json:"text"`            // for a person
	Do    string `json:"do,omitempty"`    // what to do about it
	Value any    `json:"value,omitempty"` // the fact for a program, where it is not the text
	Fails bool   `json:"fails,omitempty"` // npdb cannot do its work for this
}

// Label returns what the fact is called on the screen.
func (f Fact) Label() string {
	if f.Which != "" {
		return f.Which
	}
	return f.Name
}

// Count counts the facts of a mark.
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

// Err names the facts that keep npdb from its work; nil where there are none.
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
