package openai

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestEarlyStateIsReadOnce checks that the first state of a list is shown as soon as it is complete, and
// that the incomplete reply is not decoded after each piece.
func TestEarlyStateIsReadOnce(t *testing.T) {
	first := `{"outcome":"state","locals":[` + strings.Repeat(`{"name":"x","value":"{'a': '}\"}'}"},`, 200) + `{}]}`
	answer := `Here it is: {"states":[` + first + `,` + first + `]}`
	for name, c := range map[string]struct {
		answer string
		whole  int // number of bytes after which the state is complete; -1 if it is not shown early
		most   int // how often the reply may be decoded
	}{
		"a list":              {answer, strings.Index(answer, first) + len(first), 1},
		"no list":             {first, -1, maxEarly}, // decoded at its end
		"words in braces":     {"As {said} }" + answer, len("As {said} }") + strings.Index(answer, first) + len(first), 2},
		"objects of no state": {strings.Repeat("{} ", 1000) + answer, -1, maxEarly},
	} {
		for _, size := range []int{1, 7} {
			read, at := 0, -1
			s := &textSink{show: func(backend.Update) {}}
			s.early = func(text string) (dsl.Reply, error) {
				read++
				if c.whole >= 0 && len(text) >= c.whole {
					return dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{}}, nil
				}
				return dsl.Reply{}, errors.New("not yet")
			}
			for i := 0; i < len(c.answer); i += size {
				if _, err := s.feed(c.answer[i:min(i+size, len(c.answer))], ""); err != nil {
					t.Fatal(err)
				}
				if s.state != nil && at < 0 {
					at = min(i+size, len(c.answer))
				}
			}
			if read > c.most || c.whole < 0 && at >= 0 || c.whole >= 0 && (at < c.whole || at >= c.whole+size) {
				t.Errorf("%s, %d bytes at a time: read %d times, shown at %d, want at %d", name, size, read, at, c.whole)
			}
		}
	}
}
