package session_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
)

// typed is frontend.Lines from a list; "^C" is an interrupt, "^D" an end of file.
type typed []string

func (s *typed) Next(context.Context) (string, error) {
	if len(*s) == 0 {
		return "", io.EOF
	}
	line := (*s)[0]
	*s = (*s)[1:]
	switch line {
	case "^C":
		return "", frontend.ErrInterrupt
	case "^D":
		return "", io.EOF
	}
	return line, nil
}

func TestServe(t *testing.T) {
	tests := []struct {
		name  string
		lines typed
		want  string // output after the first stop
	}{
		{"quit", typed{"q"}, "(npdb) "},
		{"end of file", typed{}, "(npdb) \n"},
		{"interrupt", typed{"^C", "q"}, "(npdb) \n--KeyboardInterrupt--\n(npdb) "},
		{"leave interact", typed{"interact", "1", "^D", "q"}, "(npdb) *pdb interact start*\n>>> ran 1\n>>> \n*exit from pdb interact command*\n(npdb) "},
		{"leave commands", typed{"b 3", "commands", "p x", "^C", "q"}, "(npdb) Breakpoint 1 at /src/prog.py:3\n(npdb) (com) (com) \n--KeyboardInterrupt--\ncommand definition aborted, old commands restored\n(npdb) "},
		{"leave a question", typed{"cl", "^D", "q"}, "(npdb) Clear all breaks? \n(npdb) "},
		{"a statement on more lines", typed{"for a in b:", "  c", "q"}, "(npdb) ...   ran for a in b:\n  c\n(npdb) "},
		{"the program reads", typed{"s 3", "typed", "q"}, "(npdb) --Call--\n> /src/prog.py(1)f()\n-> def f(x):\n(npdb) "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			shown, lines := frontend.NewPlain(&out, true), tt.lines
			f := newFake(t)
			f.reads[2] = true
			s := open(t, f, func(c *session.Config) { c.Input = frontend.Input(&lines, shown) })
			first := s.First(context.Background())
			if err := frontend.Serve(context.Background(), s, first, &lines, shown); err != nil {
				t.Fatal(err)
			}
			if _, got, _ := strings.Cut(out.String(), "-> def f(x):\n"); got != tt.want {
				t.Errorf("it shows\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

// broken is a closed reader of the output.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestServeEndsWithItsReader(t *testing.T) {
	for name, shown := range map[string]frontend.UI{"plain": frontend.NewPlain(broken{}, false), "json": frontend.NewJSON(broken{})} {
		s := open(t, newFake(t))
		lines := typed{"s", "s"}
		if err := frontend.Serve(context.Background(), s, s.First(context.Background()), &lines, shown); err == nil || len(lines) != 2 {
			t.Errorf("%s: error %v, %d lines left", name, err, len(lines))
		}
	}
}

func TestJSONAnswersEveryLineOnce(t *testing.T) {
	var out bytes.Buffer
	shown := frontend.NewJSON(&out)
	lines := typed{"s", "", "b 3", "commands", "p x", "end", "c", "cl", "y", "n ;; n ;; p i", "nonsense", "^C", "q"}
	s := open(t, newFake(t))
	if err := frontend.Serve(context.Background(), s, s.First(context.Background()), &lines, shown); err != nil {
		t.Fatal(err)
	}
	// The first stop; one line for each input; three for the line with three commands;
	// none for ^C.
	if n := strings.Count(out.String(), "\n"); n != 1+len([]string{"s", "", "b 3", "commands", "p x", "end", "c", "cl", "y", "nonsense", "q"})+3 {
		t.Errorf("%d answers:\n%s", n, out.String())
	}
}
