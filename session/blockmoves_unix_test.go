//go:build unix

package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

const blockMovesSource = `def f(x):
    y = x
    z = (y +
         1)
    return z
a = 1
b = f(a)
c = f(b)
if c:
    d = 4
    e = f(d)
    g = 5
h = 6
`

// TestBlockCommands checks where the block and function commands lead in every mode, with breakpoints on
// lines that they pass over and in functions that they step over.
func TestBlockCommands(t *testing.T) {
	interpreter, oracle := remembering(t, cpython.Config{})
	for _, test := range []struct{ commands, want string }{
		{"sb sb sb sb", "line 10, line 13, return 13, end"},
		{"sb 3", "return 13"},
		{"sf sf sf", "call 1, return 5, call 1"},
		{"sf sb sb sb sb", "call 1, line 2, return 5, line 8, line 10"},
		{"sf 6 rsf rsb rsb rsb", "return 5, call 1, line 11, line 10, line 1"},
		{"b_8 sb sb", "line 8, line 10"},
		{"b_4 sb rsb sb", "line 4, line 2, line 4"},
		{"b_12 sb sb rsb rsb", "line 10, line 12, line 10, line 1"},
		{"b_12 sb sb sb rsb", "line 10, line 12, line 13, line 12"},
		{"b_7 sf sf", "line 7, call 1"},
		{"b_2,_x_==_2 sb sb", "line 2, return 5"},
		{"sf n n n up sb", "call 1, line 2, line 3, line 4, line 8"},
		{"sf n up sf", "call 1, line 2, return 5"},
	} {
		for _, mode := range []session.Mode{session.Real, session.Predicted, session.Both} {
			t.Run(fmt.Sprintf("%s %s", mode, test.commands), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "prog.py")
				if err := os.WriteFile(path, []byte(blockMovesSource), 0o600); err != nil {
					t.Fatal(err)
				}
				s := started(t, session.Config{
					Options: trace.Options{Script: path, Python: interpreter, Dir: filepath.Dir(path), Stdin: strings.NewReader("")},
					Start:   session.StartTrace, Mode: mode, Neural: &nav.Neural{Predictor: oracle},
				})
				s.First(t.Context())
				var got []string
				count := ""
				words := strings.Fields(test.commands)
				for i, word := range words {
					if count = ""; i+1 < len(words) && len(words[i+1]) == 1 && words[i+1] < "a" {
						count = " " + words[i+1]
					}
					if len(word) == 1 && word < "a" {
						continue
					}
					s.Line(t.Context(), strings.ReplaceAll(word, "_", " ")+count, func(a *session.Answer) {
						switch {
						case a.Err != nil:
							t.Errorf("%s: %v", word, a.Err)
						case strings.HasPrefix(word, "b_"), word == "up":
						case a.Done:
							got = append(got, "end")
						default:
							got = append(got, fmt.Sprintf("%v %d", a.State.Event, a.State.Line))
						}
					})
				}
				if got := strings.Join(got, ", "); got != test.want {
					t.Errorf("leads to %s, want %s", got, test.want)
				}
			})
		}
	}
}
