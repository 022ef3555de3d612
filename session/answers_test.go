package session_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

// TestAnswers checks the plain front end's answer to the last of several lines. update
// rewrites the golden files.
var update = flag.Bool("update", false, "rewrite the golden files")

func TestAnswers(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{"a call", []string{"s 3"}, "--Call--\n> /src/prog.py(1)f()\n-> def f(x):\n"},
		{"a return", []string{"s 6"}, "--Return--\n> /src/prog.py(3)f()->1\n-> return y\n"},
		{"the stack", []string{"s 4", "w"}, "  /src/prog.py(6)<module>()\n-> f(i)\n> /src/prog.py(2)f()\n-> y = x + 1\n"},
		{"up", []string{"s 4", "u"}, "> /src/prog.py(6)<module>()\n-> f(i)\n"},
		{"up too far", []string{"s 4", "u 9", "u"}, "*** Oldest frame\n"},
		{"down", []string{"s 4", "u", "d"}, "> /src/prog.py(2)f()\n-> y = x + 1\n"},
		{"down too far", []string{"d"}, "*** Newest frame\n"},
		{"a wrong count of frames", []string{"s 4", "u x"}, "*** Invalid frame count (x)\n"},
		{"the stack of the selected frame", []string{"s 4", "u", "w"}, "> /src/prog.py(6)<module>()\n-> f(i)\n  /src/prog.py(2)f()\n-> y = x + 1\n"},
		{"args", []string{"s 5", "a"}, "x = 0\n"},
		{"retval", []string{"s 6", "rv"}, "1\n"},
		{"no retval", []string{"retval"}, "*** Not yet returned!\n"},
		{"p live", []string{"s 4", "p x"}, "0\n"},
		{"p live raises", []string{"p nosuch"}, "*** NameError: name 'nosuch' is not defined\n"},
		{"p recorded", []string{"s 9", "goto 4", "p x"}, "0\n"},
		{"p recorded in the frame above", []string{"s 9", "goto 4", "u", "p i"}, "0\n"},
		{"p of a recorded global says where it is from", []string{"s 9", "goto 4", "p i"}, "0 (from recorded text of <module>, line 6)\n"},
		{"p of recorded text", []string{"s 9", "goto 4", "p x + 0"}, "0 (from recorded text)\n"},
		{"p of what was not recorded", []string{"s 9", "goto 4", "p zz"}, "*** NameError: name 'zz' has no value here (from recorded text)\n"},
		{"p refused name", []string{"s 9", "goto 4", "p open"}, "*** open: is a builtin that has effects, or needs more than the texts of values; this is event 4, the program waits at event 9 (goto 100% goes there)\n"},
		{"p refused", []string{"s 9", "goto 4", "p open(x)"}, "*** open(x): open: is a builtin that has effects, or needs more than the texts of values; this is event 4, the program waits at event 9 (goto 100% goes there)\n"},
		{"p at the end", []string{"c", "p x"}, "*** The program is over, so there is no frame here; rs goes back to its last event\n"},
		{"a statement recorded", []string{"s", "rs", "!x = 1"}, "*** x = 1: a recording cannot be changed, only the live program can run code; this is event 0, the program waits at event 1 (goto 100% goes there)\n"},
		{"a bare name recorded", []string{"s 9", "goto 4", "x"}, "0\n"},
		{"a statement live", []string{"y = 2"}, "ran y = 2\n"},
		{"a statement on two lines", []string{"for q in y:", "  print(q)"}, "ran for q in y:\n  print(q)\n"},
		{"jump recorded", []string{"s", "rs", "j 2"}, "*** jump: a recording cannot be changed, only the live program can run code; this is event 0, the program waits at event 1 (goto 100% goes there)\n"},
		{"jump refused", []string{"j 2"}, "*** Jump failed: can't jump\n"},
		{"jump in a frame above", []string{"s 4", "u", "j 2"}, "*** You can only jump within the bottom frame\n"},
		{"list", []string{"b 3", "s 4", "l"}, "  1  \tdef f(x):\n  2  ->\t    y = x + 1\n  3 B\t    return y\n  4  \t\n  5  \tfor i in range(3):\n  6  \t    f(i)\n  7  \tprint(i)\n[EOF]\n"},
		{"list a range", []string{"l 2,3"}, "  2  \t    y = x + 1\n  3  \t    return y\n"},
		{"list a count", []string{"l 6,1"}, "  6  \t    f(i)\n  7  \tprint(i)\n"},
		{"list on", []string{"l 1,2", "l"}, "  3  \t    return y\n  4  \t\n  5  \tfor i in range(3):\n  6  \t    f(i)\n  7  \tprint(i)\n[EOF]\n"},
		{"list on by an empty line", []string{"l 1,5", ""}, "  6  \t    f(i)\n  7  \tprint(i)\n[EOF]\n"},
		{"list badly", []string{"l x"}, "*** Error in argument: 'x' is no line, and no file, module or function of that name was found\n"},
		{"longlist", []string{"s 4", "ll"}, "  1  \tdef f(x):\n  2  ->\t    y = x + 1\n  3  \t    return y\n"},
		{"source recorded", []string{"s", "rs", "source f"}, "  1  \tdef f(x):\n  2  \t    y = x + 1\n  3  \t    return y\n"},
		{"whatis recorded", []string{"s", "rs", "whatis 1"}, "<class 'int'> (from recorded text)\n"},
		{"display", []string{"s 4", "display x", "s"}, "> /src/prog.py(3)f()\n-> return y\n"},
		{"display changes", []string{"s 2", "display i", "n 2"}, "> /src/prog.py(6)<module>()\n-> f(i)\ndisplay i: 1  [old: 0]\n"},
		{"display changes back", []string{"s 2", "display i", "n 2", "rn 2"}, "> /src/prog.py(6)<module>()\n-> f(i)\ndisplay i: 0  [old: 1]\n"},
		{"display lists", []string{"s 2", "display i", "display"}, "Currently displaying:\ni: 0\n"},
		{"display lists none of another frame", []string{"s 2", "display i", "s", "display"}, "No expression is being displayed in this frame\n"},
		{"undisplay", []string{"s 2", "display i", "undisplay i", "n 2"}, "> /src/prog.py(6)<module>()\n-> f(i)\n"},
		{"undisplay nothing", []string{"undisplay q"}, "*** not displaying q\n"},
		{"break", []string{"b 3"}, "Breakpoint 1 at /src/prog.py:3\n"},
		{"break list", []string{"b f, x == 1", "tbreak 7", "disable 2", "ignore 1 2", "b"}, "Num Type         Disp Enb   Where\n1   breakpoint   keep yes   at /src/prog.py:2\n\tstop only if x == 1\n\tignore next 2 hits\n2   breakpoint   del  no    at /src/prog.py:7\n"},
		{"break hits", []string{"b 3", "c 2", "b"}, "Num Type         Disp Enb   Where\n1   breakpoint   keep yes   at /src/prog.py:3\n\tbreakpoint already hit 2 times\n"},
		{"break on a blank", []string{"b 4"}, "*** Blank or comment\n"},
		{"break after the end", []string{"b 40"}, "End of file\n"},
		{"break in no file", []string{"b nosuch:3"}, "*** 'nosuch' not found from sys.path\n"},
		{"break on no line", []string{"b prog.py:x"}, "*** Bad lineno: x\n"},
		{"break on no function", []string{"b g"}, "*** The specified object 'g' is not a function or was not found along sys.path.\n"},
		{"break in a module", []string{"b prog.f"}, "Breakpoint 1 at /src/prog.py:2\n"},
		{"break in a module that lacks it", []string{"b prog.g"}, "*** The specified object 'prog.g' is not a function or was not found along sys.path.\n"},
		{"break badly", []string{"b 3, x ==="}, "*** Invalid condition x ===: SyntaxError: invalid syntax\n"},
		{"clear", []string{"b 3", "cl 1 7"}, "Deleted breakpoint 1 at /src/prog.py:3\n*** Breakpoint number 7 out of range\n"},
		{"clear twice", []string{"b 3", "cl 1", "cl 1"}, "*** Breakpoint 1 already deleted\n"},
		{"clear a line", []string{"b 3", "cl prog.py:3"}, "Deleted breakpoint 1 at /src/prog.py:3\n"},
		{"clear all", []string{"b 3", "b 2", "cl", "y"}, "Deleted breakpoint 1 at /src/prog.py:3\nDeleted breakpoint 2 at /src/prog.py:2\n"},
		{"clear none", []string{"b 3", "cl", "no", "disable 1"}, "Disabled breakpoint 1 at /src/prog.py:3\n"},
		{"enable", []string{"b 3", "enable 1"}, "Enabled breakpoint 1 at /src/prog.py:3\n"},
		{"enable badly", []string{"enable x"}, "*** Non-numeric breakpoint number x\n"},
		{"ignore", []string{"b 3", "ignore 1 2"}, "Will ignore next 2 crossings of breakpoint 1.\n"},
		{"ignore no more", []string{"b 3", "ignore 1"}, "Will stop next time breakpoint 1 is reached.\n"},
		{"condition", []string{"b 3", "condition 1 x == 1"}, "New condition set for breakpoint 1.\n"},
		{"no condition", []string{"b 3, x == 1", "condition 1"}, "Breakpoint 1 is now unconditional.\n"},
		{"temporary", []string{"tbreak 3", "c"}, "Deleted breakpoint 1 at /src/prog.py:3\n> /src/prog.py(3)f()\n-> return y\n"},
		{"commands", []string{"b 3", "commands", "p x", "end", "c"}, "0\n> /src/prog.py(3)f()\n-> return y\n"},
		{"silent commands", []string{"b 3", "commands 1", "silent", "p x", "end", "c"}, "0\n"},
		{"commands that continue", []string{"b 3", "commands", "silent", "p x", "c", "c"}, "0\n1\n2\n2\nThe program finished. Exit code: 0\nBackward moves (rs, rn, rf, rc) still work; restart runs it again.\n"},
		{"commands of none", []string{"commands 1"}, "*** cannot set commands: Breakpoint number 1 out of range\n"},
		{"commands without a breakpoint", []string{"b 3", "cl 1", "commands"}, "*** cannot set commands: no existing breakpoint\n"},
		{"commands of the last that exists", []string{"b 3", "b 2", "cl 2", "commands", "p x", "end", "c"}, "0\n> /src/prog.py(3)f()\n-> return y\n"},
		{"output once", []string{"c", "rs", "c"}, "The program finished. Exit code: 0\nBackward moves (rs, rn, rf, rc) still work; restart runs it again.\n"},
		{"output again", []string{"c", "output"}, "2\n"},
		{"output of the past", []string{"c", "goto 20", "output"}, ""},
		{"the start", []string{"rs"}, "This is the first state.\n"},
		{"provenance of no name", []string{"provenance nosuch"}, "*** nosuch has no value here, and had none before in <module>\n"},
		{"alias", []string{"alias pi p %1", "alias pi"}, "pi = p %1\n"},
		{"alias badly", []string{"alias pi p %2"}, "*** Replaceable parameters must be consecutive\n"},
		{"unalias", []string{"alias pi p %1", "unalias pi", "alias pi"}, "*** Unknown alias 'pi'\n"},
		{"interact", []string{"interact", "y = 3"}, "ran y = 3\n"},
		{"interact ends", []string{"interact", "exit()"}, "\n*exit from pdb interact command*\n"},
		{"usage", []string{"s x"}, "*** Invalid argument: x\nUsage: s(tep) [COUNT]\n"},
		{"no argument", []string{"p"}, "*** Argument is required for this command\nUsage: p EXPRESSION\n"},
		{"no condition after a comma", []string{"b 3,"}, "*** Invalid condition : SyntaxError: invalid syntax\n"},
		{"exceptions", []string{"exceptions"}, "Did not find chained exceptions. There is a chain only where the program stopped after an uncaught exception.\n"},
		{"info", []string{"s 3", "goto 1", "info program"}, ""},
		{"several commands", []string{"s 4 ;; p x ;; w"}, "> /src/prog.py(2)f()\n-> y = x + 1\n0\n  /src/prog.py(6)<module>()\n-> f(i)\n> /src/prog.py(2)f()\n-> y = x + 1\n"},
		{"until smaller", []string{"s 2", "until 3"}, "*** \"until\" line number is smaller than current line number\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, newFake(t))
			s.First(context.Background())
			last := len(tt.lines) - 1
			run(s, tt.lines[:last]...)
			got := run(s, tt.lines[last])
			if tt.name == "info" {
				for _, want := range []string{"Program: " + fakePath, "Here: event 1 of", "waits at event 3", "Recorded: 4 events"} {
					if !strings.Contains(got, want) {
						t.Errorf("%q is not in\n%s", want, got)
					}
				}
				return
			}
			if got != tt.want {
				t.Errorf("%q answers\n%s\nwant\n%s", tt.lines[last], got, tt.want)
			}
		})
	}
}

// TestJSONGolden compares whole answers with testdata/answers.jsonl.
func TestJSONGolden(t *testing.T) {
	f := newFake(t)
	f.reads[7] = true
	var out bytes.Buffer
	shown := frontend.NewJSON(&out)
	s := open(t, f, func(c *session.Config) {
		c.Input = func(_ context.Context, a *session.Answer) session.InputLine {
			if err := shown.Show(a); err != nil {
				t.Error(err)
			}
			return session.InputLine{Text: "typed\n"}
		}
	})
	show := func(a *session.Answer) {
		if err := shown.Show(a); err != nil {
			t.Error(err)
		}
	}
	show(s.First(context.Background()))
	for _, line := range []string{"s 3", "p x", "", "b 3", "c", "r ;; w", "rs", "nosuch", "b 4", "n 2", "commands", "end", "cl", "n", "c", "c", "rewind", "rs", "help s", "q"} {
		s.Line(context.Background(), line, show)
	}
	golden := filepath.Join("testdata", "answers.jsonl")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(out.String(), "\n")
	for i, w := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != w {
			t.Fatalf("line %d is\n%s\nwant\n%s", i+1, strings.Join(got[min(i, len(got)):min(i+1, len(got))], ""), w)
		}
	}
}

func TestPlainKeepsLinesApart(t *testing.T) {
	var b strings.Builder
	p := frontend.NewPlain(&b, false)
	for _, a := range []*session.Answer{
		{Chunks: []session.Chunk{{Kind: session.Wrote, Text: "name? "}}},
		{Chunks: []session.Chunk{{Kind: session.Wrote, Text: "more\r\n"}, {Kind: session.Where, Text: "> a"}}},
		{Chunks: []session.Chunk{{Kind: session.Wrote, Text: "open\x1b"}, {Kind: session.Said, Text: "x"}}, Err: &session.Error{Message: "no"}},
	} {
		if err := p.Show(a); err != nil {
			t.Fatal(err)
		}
	}
	if want := "name? more\n> a\nopen\\x1b\nx\n*** no\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestOrigins(t *testing.T) {
	f := newFake(t)
	s := open(t, f)
	origins := []dsl.Origin{s.First(context.Background()).Origin}
	for _, line := range []string{"s", "rs"} {
		s.Line(context.Background(), line, func(a *session.Answer) { origins = append(origins, a.Origin) })
	}
	if origins[0] != dsl.Given || origins[1] != dsl.Real || origins[2] != dsl.Given {
		t.Errorf("%v", origins)
	}
	f.tree.Batch(f.tree.Amend) // the user edited the live state
	s.Line(context.Background(), "s", func(a *session.Answer) {
		if a.Origin != dsl.Edited {
			t.Errorf("%v, want edited", a.Origin)
		}
	})
}

func TestRestart(t *testing.T) {
	var fakes []*fake
	var args [][]string
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, nil, func(c *session.Config) {
		c.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
			f := newFakeOf(t, path)
			fakes = append(fakes, f)
			args = append(args, o.Args)
			return f.start(ctx, o)
		}
	})
	s.First(context.Background())
	run(s, "b 3", "c", "restart a 'b c'")
	if len(fakes) != 2 || !fakes[0].closed || s.Position().Event != 0 || strings.Join(args[1], "|") != "a|b c" {
		t.Errorf("%d runs, at event %d, arguments %q", len(fakes), s.Position().Event, args)
	}
	run(s, "c")
	if s.Position().Event != 5 {
		t.Errorf("the breakpoint is gone: at event %d", s.Position().Event)
	}
}

func TestHelp(t *testing.T) {
	s := open(t, newFake(t))
	s.First(context.Background())
	for line, want := range map[string]string{
		"help":        "c(ontinue) | cont",
		"help c":      "Usage: c(ontinue) | cont [COUNT]",
		"h exec":      "Usage: ! STATEMENT",
		"? rs":        "Usage: reverse-step | rs [COUNT]",
		"help nobody": "*** No help for 'nobody'",
	} {
		if got := run(s, line); !strings.Contains(got, want) {
			t.Errorf("%s answers\n%s\nwithout %q", line, got, want)
		}
	}
}

// TestShortPaths checks that a front end may name files below the program's folder by
// relative paths.
func TestShortPaths(t *testing.T) {
	s := open(t, newFake(t), func(c *session.Config) { c.ShortPaths = true })
	s.First(context.Background())
	for _, c := range []struct{ typed, want string }{
		{"b 3", "Breakpoint 1 at prog.py:3"},
		{"disable 1", "Disabled breakpoint 1 at prog.py:3"},
		{"b", "at prog.py:3"},
		{"w", "> prog.py(1)<module>()"},
		{"cl 1", "Deleted breakpoint 1 at prog.py:3"},
	} {
		if said, _ := do(s, c.typed).Text(session.Said); !strings.Contains(said, c.want) {
			t.Errorf("%s: %q", c.typed, said)
		}
	}
}
