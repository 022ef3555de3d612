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
	ID       string        `json:"id"` // seed-number-walk-dialect
	Dialect  string        `json:"dialect"`
	Text     string        `json:"text"`
	Predict  []policy.Span `json:"predict"`  // byte ranges of the text that a model must predict
	Changed  []policy.Span `json:"changed"`  // those parts of them that are new
	Actions  []string      `json:"actions"`  // in order
	Horizons []int         `json:"horizons"` // for each action, the number of events that it passes; -1 if unknown
	Source   Origin        `json:"source"`
}

// Origin identifies the source of a trajectory.
type Origin struct {
	Program string `json:"program"` // the name of a given program, "" for a generated one
	Entry   string `json:"entry"`   // the recorded call, "" if the module was recorded
	Family  string `json:"family"`  // for generated programs: the generator
	Number  int    `json:"number"`  // of the program, from 0
	Walk    int    `json:"walk"`    // of its walk, from 0
}

// write returns the line as it is in a shard, including its end.
func (l *Line) write() ([]byte, error) {
	if !utf8.ValidString(l.Text) {
		return nil, fmt.Errorf("the text of %s is no UTF-8", l.ID) // ranges would be wrong
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(l)
	return b.Bytes(), err
}

// ReadLine reads a line of a shard. It is an error if a range is outside the text.
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
