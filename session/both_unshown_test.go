//go:build unix

package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// TestBothUnshownFile passes through a file that the program's text does not contain. The
// model cannot know it and is not blamed, and is asked again after it.
func TestBothUnshownFile(t *testing.T) {
	interpreter, oracle := remembering(t, cpython.Config{})
	for _, way := range []string{"walk free", "walk guided"} {
		t.Run(way, func(t *testing.T) {
			dir := t.TempDir()
			main := filepath.Join(dir, "main.py")
			for path, text := range map[string]string{
				main:                            "import importlib\nx = 1\nhidden = importlib.import_module('hid' + 'den')\ny = hidden.double(x)\nz = y + 1\nw = z + 1\n",
				filepath.Join(dir, "hidden.py"): "def double(n):\n    m = n * 2\n    return m\n",
			} {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s, err := interpreted(t.Context(), session.Config{
				Options: trace.Options{Script: main, Python: interpreter, Dir: dir, Stdin: strings.NewReader("")},
				Start:   session.StartTrace,
				Mode:    session.Both, Neural: &nav.Neural{Predictor: oracle},
			})
			if err != nil {
				t.Fatal(err)
			}
			b := &beside{t: t, s: s, last: s.First(t.Context())}
			t.Cleanup(b.close)
			b.do(way)
			inside, behind := 0, 0
			for !b.last.Done {
				a := b.do("s")
				wrong, _ := a.Beside.Verdicts.First()
				switch {
				case a.State != nil && a.State.File == "hidden.py":
					inside++
					if a.Beside.Compared && !strings.Contains(a.Beside.Failure, "hidden.py is no file of the text") {
						t.Errorf("in the file: %s", a.Beside.Sentence)
					}
				case wrong.Field == compare.Outcome && wrong.Kind == compare.Missing && inside > 0:
					behind++ // a new text lacks information that the oracle needs
				case wrong.Kind != 0:
					t.Errorf("move %d, %+v: %s", b.moves, a.State, a.Beside.Sentence)
				}
			}
			if inside < 4 || behind < 1 {
				t.Errorf("%d states in the file, %d questions behind it", inside, behind)
			}
		})
	}
}
