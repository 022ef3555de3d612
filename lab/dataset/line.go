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
	Predict  []policy.Span `json:"predict"`  // byte ranges of the text that a model is to say
	Changed  []policy.Span `json:"changed"`  // those in them of what is new
	Actions  []string      `json:"actions"`  // in their order
	Horizons []int         `json:"horizons"` // of each: how many events it passes; -1 where that is not known
	Source   Origin        `json:"source"`
}

// Origin says where a trajectory comes from.
type Origin struct {
	Program string `json:"program"` // the name of a given one, "" of a generated one
	Entry   string `json:"entry"`   // the call that was recorded, "" where that was the module
	Family  string `json:"family"`  // of generated ones: what made it
	Number  int    `json:"number"`  // of the program, from 0 on
	Walk    int    `json:"walk"`    // of its walks, from 0 on
}

// write returns the line as it stands in a shard, with its end.
func (l *Line) write() ([]byte, error) {
	if !utf8.ValidString(l.Text) {
		return nil, fmt.Errorf("the text of %s is no UTF-8", l.ID) // ranges would no longer hold
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(l)
	return b.Bytes(), err
}

// ReadLine reads a line of a shard. Ranges that are none of its text are an error.
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
