// Package vectors provides test vectors for nd/1: walks (a program, actions, and the event on which
// each one lands) with their texts. An independent implementation of nd/1 wrote those of nd1.jsonl;
// those of nd1_blocks.jsonl, for step_block and step_function, were written by hand. A recorder
// must land on the same events, and a writer must write the same texts byte for byte. The actions
// also serve to measure models.
package vectors

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/npdb/npdb/dsl"
)

//go:embed nd1.jsonl
var nd1 []byte

//go:embed nd1_blocks.jsonl
var nd1Blocks []byte

// Vector is a walk through a program of one file, program.py. Its events are those of CPython 3.10
// to 3.14; 3.9 reports other lines. Its text is that of CPython 3.10 to 3.13.
type Vector struct {
	Name    string   `json:"name"`
	Program string   `json:"program"`
	Actions []Action `json:"actions"`
	Events  []Event  `json:"events"` // the event at which the walk begins, then the event on which each action lands
	Wire    string   `json:"wire"`   // the nd/1 text of the walk
}

// On returns the vector with the text that CPython 3.minor produces: since 3.14 the message for the
// division of an int by zero differs.
func (v Vector) On(minor int) Vector {
	if minor >= 14 {
		v.Wire = strings.ReplaceAll(v.Wire, "integer division or modulo by zero", "division by zero")
	}
	return v
}

// Action is a dsl.Action that is a string in JSON.
type Action struct{ dsl.Action }

// UnmarshalText parses the action as nd/1 writes it.
func (a *Action) UnmarshalText(text []byte) (err error) {
	a.Action, err = dsl.ParseAction(string(text))
	return err
}

// Event is the index of a recorded event, counted from 0, or End or Start.
type Event int

// Values that are not events: End is the end of the program. Start means that an inverse move found
// nothing and stayed in place.
const (
	End Event = -1 - iota
	Start
)

// UnmarshalJSON reads a number, "end" or "start".
func (e *Event) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"end"`:
		*e = End
	case `"start"`:
		*e = Start
	default:
		return json.Unmarshal(text, (*int)(e))
	}
	return nil
}

// All returns the vectors, in the order of the files.
func All() []Vector {
	var all []Vector
	for _, file := range [][]byte{nd1, nd1Blocks} {
		found, err := read(file)
		if err != nil {
			panic("dsl/vectors: " + err.Error()) // cannot happen: the files are valid
		}
		all = append(all, found...)
	}
	return all
}

func read(data []byte) ([]Vector, error) {
	var found []Vector
	lines := json.NewDecoder(bytes.NewReader(data))
	for {
		var v Vector
		if err := lines.Decode(&v); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		if len(v.Events) != len(v.Actions)+1 {
			return nil, fmt.Errorf("%s: %d events after %d actions", v.Name, len(v.Events), len(v.Actions))
		}
		found = append(found, v)
	}
}
