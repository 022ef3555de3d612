package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/npdb/npdb/lab/dataset/policy"
)

// Line is a line of a shard: one trajectory.
type Line struct {
	ID       string        `json:"id"` // seed, program's number, walk and dialect: 1-17-0-nd/1
	Dialect  string        `json:"dialect"`
	Text     string        `json:"text"`
	Predict  []policy.Span `json:"predict"`  // byte ranges of Text that a model must predict
	Changed  []policy.Span `json:"changed"`  // parts of Predict that the text before does not show
	Actions  []string      `json:"actions"`  // requested actions, in order
	Horizons []int         `json:"horizons"` // for each action, the number of events that it passes; -1 if unknown
	Source   Origin        `json:"source"`
}

// Origin identifies the source of a trajectory.
type Origin struct {
	Program string `json:"program"` // name of a given program; "" for a generated one
	Entry   string `json:"entry"`   // recorded call; "" if the module's own code was recorded
	Family  string `json:"family"`  // generator that made the program; "" for a given one
	Number  int    `json:"number"`  // number of the program, from 0
	Walk    int    `json:"walk"`    // number of the walk through the program, from 0
}

// write encodes the line as a shard contains it: JSON and a line end.
func (l *Line) write() ([]byte, error) {
	if !utf8.ValidString(l.Text) {
		// JSON would replace the invalid bytes, and the ranges would be wrong.
		return nil, fmt.Errorf("the text of %s is no UTF-8", l.ID)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(l)
	return b.Bytes(), err
}

// ReadLine parses a line of a shard. It returns an error if a range is outside the text, or
// if the numbers of actions and horizons differ.
func ReadLine(raw []byte) (*Line, error) {
	l := &Line{}
	if err := json.Unmarshal(raw, l); err != nil {
		return nil, err
	}
	if len(l.Actions) != len(l.Horizons) {
		return nil, fmt.Errorf("%q has %d actions and %d horizons", l.ID, len(l.Actions), len(l.Horizons))
	}
	for _, spans := range [][]policy.Span{l.Predict, l.Changed} {
		last := 0
		for _, s := range spans {
			if s[0] < last || s[1] < s[0] || s[1] > len(l.Text) {
				return nil, fmt.Errorf("%q has a range %v that is none of its %d bytes", l.ID, s, len(l.Text))
			}
			last = s[1]
		}
	}
	return l, nil
}
