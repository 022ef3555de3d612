// Package vectors holds walks (a program, actions, and where each one lands) with their texts,
// written by an independent implementation of nd/1. A recorder must land where they land, and a
// writer must write their texts byte for byte. Models can be measured with their actions.
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

// Vector is a walk over a program of one file, program.py. Its events are those of CPython 3.10 to
// 3.14; 3.9 reports other lines. Its text is that of CPython 3.10 to 3.13.
type Vector struct {
	Name    string   `json:"name"`
	Program string   `json:"program"`
	Actions []Action `json:"actions"`
	Events  []Event  `json:"events"` // where the walk begins, then where each action lands
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

// Event is the number of a recorded event, from 0, or End or Start.
type Event int

// The values that are not events: End is the end of the program, Start means that an inverse move
// found nothing and stayed in place.
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

// All returns the vectors, in the order of the file.
func All() []Vector {
	found, err := read(nd1)
	if err != nil {
		panic("dsl/vectors/nd1.jsonl: " + err.Error()) // cannot happen: nd1.jsonl is valid
	}
	return found
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
