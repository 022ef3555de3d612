//go:build unix

package session_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

const basketProgram = `import os, random, time
def total(prices, limit):
    result = 0
    for price in prices:
        if price < limit:
            result += price
    return result
started, pid = time.time(), os.getpid()
tax = random.random()
found = total([3, 20, 4], 10)
print(found, tax, started, pid)
`

// eachEnd runs a test on the oldest and on the newest Python.
func eachEnd(t *testing.T, test func(t *testing.T, python string)) {
	list := pythons.All(t)
	for _, python := range slices.Compact([]pythons.Python{list[0], list[len(list)-1]}) {
		t.Run(python.String(), func(t *testing.T) { test(t, python.Path) })
	}
}

// editedPast plays the lines of a script: "COMMAND => ANSWER". A prompt for yes or no is a part of the
// answer, and ANSWER a regular expression without the program's folder; "" matches any answer.
func editedPast(t *testing.T, s *command.Interpreter, script string) {
	t.Helper()
	folder := filepath.Dir(s.View().Files[0].Path) + "/"
	for line := range strings.Lines(script) {
		line, want, _ := strings.Cut(strings.TrimSpace(line), " =>")
		want = strings.TrimSpace(want)
		var got string
		s.Line(t.Context(), line, func(a *session.Answer) {
			if err := fitsSchema(a); err != nil {
				t.Error(err)
			}
			got += plainText(t, a)
			if a.Waiting == session.ForConfirmation {
				got += a.Prompt
			}
		})
		got = strings.Join(strings.Fields(strings.ReplaceAll(got, folder, "")), " ")
		if ok, err := regexp.MatchString("^("+want+")$", got); err != nil || want != "" && !ok {
			t.Errorf("%s:\n%s\nwant\n%s", line, got, want)
		}
	}
}

// TestEditsInThePast edits the past of programs: each case is played on the oldest and the newest Python.
func TestEditsInThePast(t *testing.T) {
	const asks = `The program is run again up to this event \((\d+)\): files, network and input happen again\. Run it\? \(y/n\)`
	const begun = `Run %d goes on live from here; what it does is another recording\. goto #%d returns to the run before, diff run %d compares them\.`
	notice := func(run, visit, before int) string { return fmt.Sprintf(begun, run, visit, before) }
	for _, c := range []struct{ name, source, script string }{
		{"several", basketProgram, `
			b 6 => Breakpoint 1 at .*
			c => > prog.py\(6\)total\(\) .*
			c => > prog.py\(6\)total\(\) .*
			c => 7 .* The program finished\. .*
			goto #2 => > prog.py\(6\)total\(\) -> result \+= price
			result = 100 => ` + asks + `
			n =>
			branches => #1 .* #2 .* #3 .* #4 .*
			result = 100 => ` + asks + `
			y => ` + notice(2, 2, 1) + ` > prog.py\(6\)total\(\) -> result \+= price
			p result, limit => \(100, 10\)
			n => > prog.py\(4\)total\(\) .*
			p result => 103
			b => Num .* breakpoint already hit 1 time
			c => > prog.py\(6\)total\(\) .*
			c => 107 0\.\d+ .* The program finished\. .*
			branches => #1 .* ├─#5 total:6 result = 100 result = 100 edited run 2 .*
			goto #2 => > prog.py\(6\)total\(\) .*
			p result => 0
			goto #4 => The program finished\. .*
			rs => --Return-- .*
			diff run 2 => A: run 1 .* B: run 2 .* First divergence: .* result: 0 / 100 .*
			diff off =>
			goto #2 =>
			jump 7 => ` + asks + `
			y => ` + notice(3, 2, 1) + ` > prog.py\(7\)total\(\) -> return result
			n => --Return-- > prog.py\(7\)total\(\)->0 .*
			diff run 9 => \*\*\* diff run 9: there are 3 runs
			diff run 3 => \*\*\* diff run 3: this is run 3
			restart =>
			branches => > #1 .*
			diff run 2 => \*\*\* diff run 2: there is one run only; an edit in the past begins another`},
		{"branch of a branch", basketProgram, `
			tbreak 6 =>
			c => Deleted .*
			result = 1 =>
			n => > prog.py\(4\)total\(\) .*
			n => > prog.py\(5\)total\(\) .*
			rs => > prog.py\(4\)total\(\) .*
			limit = 50 => ` + asks + `
			y => ` + notice(2, 3, 1) + ` .*
			p result, limit => \(4, 50\)
			n =>
			rs =>
			rs => > prog.py\(6\)total\(\) .*
			p result, limit => \(1, 10\) .*
			goto #5 => > prog.py\(4\)total\(\) .*
			!result = result + 1000 =>
			y => .* run 2 .*
			p result, limit => \(1004, 50\)
			c => 1028 .*`},
		{"an edit that raises", basketProgram, `
			s 8 =>
			rs =>
			fnd result => \*\*\* SyntaxError: invalid syntax .*did you mean the command find.*
			result = nope => ` + asks + `
			y => \*\*\* NameError: name 'nope' is not defined
			if x: => ` + asks + `
			y => \*\*\* The statement is incomplete: in the past it is given in one piece
			jump 99 => ` + asks + `
			y => \*\*\* Jump failed: .*
			branches => .*#3 .*
			info program => .*`},
		{"the caller", basketProgram, `
			tbreak 7 =>
			c => Deleted .*
			s => --Return-- .*
			rs => > prog.py\(7\)total\(\) .*
			u => > prog.py\(10\)<module>\(\) .*
			!tax = 5 => ` + asks + `
			y => Run 2 .* > prog.py\(10\)<module>\(\) .*
			c => 7 5 .*`},
		{"input", "a = input('first ')\nb = input('second ')\nprint(a, b)\n", `
			n => > prog.py\(2\).*
			n => > prog.py\(3\).*
			rs => > prog.py\(2\).*
			!a = 'other' => ` + asks + `
			y => Run 2 .*
			n => > prog.py\(3\).*
			n => other three .*`},
		{"effects", "import os, threading\nt = threading.Thread(target=print)\nt.start(); t.join()\nf = open(os.devnull + 'x' if 0 else '/tmp/../tmp/npdb-effects.txt', 'w')\nf.close()\nos.remove(f.name)\nx = 1\ny = 2\n", `
			c =>
			b 8 =>
			rc => > prog.py\(8\).*
			x = 2 => The program is run again up to this event \(\d+\): files, network and input happen again\. In this run: it started a thread.*; it opened /tmp/npdb-effects.txt for writing\. Run it\? \(y/n\)
			y => Run 2 .*
			p x => 2`},
		{"another run", "import os\nd = os.path.dirname(os.path.abspath(__file__))\np = os.path.join(d, 'count')\nn = len(open(p).read()) if os.path.exists(p) else 0\nwith open(p, 'a') as f:\n    w = f.write('x')\nx = 1\ny = n\nz = 3\n", `
			c =>
			b 8 =>
			rc => > prog.py\(8\).*
			x = 2 => .* Run it\? \(y/n\)
			y => \*\*\* x = 2: the program was run again, and it was another run: at event \d+, line \d of prog.py, n is 1 instead of 0\. The edit was not made\.
			branches => .*
			p x => 1`},
		{"an exception", "def f(x):\n    return 1 / x\nprint(f(0))\n", `
			c => .*Uncaught exception.*
			rs => > prog.py\(2\)f\(\) .*
			x = 4 => ` + asks + `
			y => Run 2 .*
			c => 0.25 .*
			goto #2 => .*ZeroDivisionError.*`},
		{"debug", "def f(x):\n    return x\na = 1\nb = 2\nc = 3\n", `
			n 2 => > prog.py\(4\).*
			debug f(1) => .*
			c => .*LEAVING RECURSIVE DEBUGGER.*
			c => The program finished.*
			b 5 =>
			rc => > prog.py\(5\).*
			!a = 7 => \*\*\* a = 7: the program cannot be run again up to this event: you ran debug before this event, and that is not repeated`},
		{"unrecorded", holeProgram + "x = 1\ny = 2\n", `
			tbreak report =>
			fc => Deleted .*
			n 2 =>
			rs =>
			name = "edited" => ` + asks + `
			y => Run 2 .*
			p name => 'edited'
			n =>
			n =>
			branches => #1 .* #5 report:\d+ name = "edited" .* run 2 .*`},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachEnd(t, func(t *testing.T, python string) {
				editedPast(t, opened(t, trace.Options{Script: scriptOf(t, c.source), Python: python}, typing), strings.TrimSpace(c.script))
			})
		})
	}
}

// typing lets the program's input come from a list.
func typing(c *session.Config) {
	lines := []string{"one\n", "two\n", "three\n"}
	c.Input = func(context.Context, *session.Answer) session.InputLine {
		next := lines[0]
		lines = lines[1:]
		return session.InputLine{Text: next}
	}
}

// TestRunsAreKept resumes a session with two runs, and ends both processes at its end.
func TestRunsAreKept(t *testing.T) {
	o := trace.Options{Script: scriptOf(t, basketProgram), Python: pythons.Any(t)}
	dir := t.TempDir()
	inDir := func(c *session.Config) { c.StateDir = dir }
	s := opened(t, o, inDir)
	pids := map[int]bool{}
	real := func(s *command.Interpreter) {
		pid, err := strconv.Atoi(strings.TrimSpace(plainText(t, do(s, "p os.getpid.real()"))))
		if err != nil || syscall.Kill(pid, 0) != nil {
			t.Fatalf("process %d: %v", pid, err)
		}
		pids[pid] = true
	}
	editedPast(t, s, `b 6 =>
		c => > prog.py\(6\).*
		n =>
		n =>`)
	real(s)
	editedPast(t, s, `goto #2 =>
		result = 100 =>
		y => Run 2 .*`)
	real(s)
	editedPast(t, s, `n =>
		goto #2 =>
		p result => 0( .*)?
		goto #5 =>`)
	if len(pids) != 2 {
		t.Errorf("processes %v", pids)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for pid := range pids {
		if syscall.Kill(pid, 0) == nil {
			t.Errorf("process %d has not ended", pid)
		}
	}
	j, err := journal.Find(dir, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again := started(t, session.Config{Start: session.StartTrace, StateDir: dir, Options: j.Options(o)})
	if a := again.Resume(t.Context(), j); a.Err != nil || a.Visit != 5 || a.Run != 2 {
		t.Fatalf("resumed: %+v, visit %d, run %d", a.Err, a.Visit, a.Run)
	}
	editedPast(t, again, `p result => 100( .*)?
		goto #2 =>
		p result => 0( .*)?
		c =>
		c => 7 .*`)
}

// TestEditsOfAFile refuses to edit what was read from a recording file.
func TestEditsOfAFile(t *testing.T) {
	o := trace.Options{Script: scriptOf(t, basketProgram), Python: pythons.Any(t)}
	file := filepath.Join(t.TempDir(), "run.npdb")
	s := opened(t, o)
	editedPast(t, s, "save "+file+" =>\nc => 7 .*")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	read := func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
		return trace.OpenLog(file, trace.Limits{})
	}
	editedPast(t, opened(t, trace.Options{}, func(c *session.Config) { c.File, c.Start = file, read }), `
		s 3 =>
		!tax = 5 => \*\*\* tax = 5: this session shows a recording without its program, so that nothing can be run again
		jump 10 => \*\*\* jump: this session shows a recording without its program, so that nothing can be run again`)
}

// TestEditsInLists refuses an edit in the past that is given where nobody can be asked.
func TestEditsInLists(t *testing.T) {
	s := opened(t, trace.Options{Script: scriptOf(t, basketProgram), Python: pythons.Any(t)})
	editedPast(t, s, `tbreak 6 =>
		c =>
		n =>
		b 4 =>
		commands =>
		!result = 5 =>
		end =>
		rc => .*\*\*\* The program is run again up to this event .* here it was not asked.*`)
}
