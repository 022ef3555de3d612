//go:build unix

package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

const chanceProgram = `import random
def step(i):
    return random.randrange(1000)
def work(n):
    total = 0
    for i in range(n):
        total += step(i)
    return total
def report(total):
    name = "t"
    return total
random.seed(7)
first = report(work(3))
random.seed()
second = report(work(3))
`

// TestPastOnDemand moves back into what was not recorded, and forward again.
func TestPastOnDemand(t *testing.T) {
	o := trace.Options{Script: scriptOf(t, chanceProgram), Repeat: true}
	holed(t, o, `tbreak 15 => Breakpoint 1 at prog.py:15
		fc => Deleted breakpoint 1 at prog.py:15 > prog.py(15)<module>() -> second = report(work(3))
		mark here => here is #2, <module>:15
		rn => > prog.py(14)<module>() -> random.seed()
		rn => > prog.py(13)<module>() -> first = report(work(3))
		s => --Call-- > prog.py(4)work() -> def work(n):
		b 8 => Breakpoint 2 at prog.py:8
		c => > prog.py(8)work() -> return total
		p total => 1455
		rc => No earlier event ends this move (rewind goes to the first state).
		goto here => > prog.py(15)<module>() -> second = report(work(3))
		p first => 1455
		c => > prog.py(8)work() -> return total
		rewind => > prog.py(1)<module>() -> import random`)
}

// TestPastIsMarked marks the states that were recorded by running the program again.
func TestPastIsMarked(t *testing.T) {
	o := trace.Options{Script: scriptOf(t, chanceProgram), Repeat: true, Python: pythons.Any(t)}
	s := opened(t, o)
	for _, c := range []struct {
		line     string
		replayed bool
	}{{"s", false}, {"tbreak 15", false}, {"fc", false}, {"rn", true}, {"n", false}, {"rewind", false}} {
		s.Line(t.Context(), c.line, func(a *session.Answer) {
			if strings.Contains(string(frontend.EncodeAnswer(a)), `"replayed": true`) != c.replayed {
				t.Errorf("%s: %s", c.line, frontend.EncodeAnswer(a))
			}
		})
	}
}

// TestPastOfWrites asks before a program that wrote a file is run again.
func TestPastOfWrites(t *testing.T) {
	dir := t.TempDir()
	o := trace.Options{Script: scriptOf(t, "f = open('"+dir+"/made.txt', 'w')\nf.close()\nx = 1\ny = 2\n"), Repeat: true}
	holed(t, o, `tbreak 4 => Breakpoint 1 at prog.py:4
		fc => Deleted breakpoint 1 at prog.py:4 > prog.py(4)<module>() -> y = 2
		rs => What came before is not made: it opened `+dir+`/made.txt for writing, and would do so again. record again allows it. Recording began again here; what came before was not recorded. Given again, the move goes on before it (event 0 and earlier).
		record again => A move back into what was not recorded may now run the program again, and write its files again
		n => --Return-- > prog.py(4)<module>()->None -> y = 2
		rn => > prog.py(4)<module>() -> y = 2
		rs => > prog.py(3)<module>() -> x = 1
		rs => > prog.py(2)<module>() -> f.close()`)
}

// TestPastIsNotNoted leaves holes as they are without the setting.
func TestPastIsNotNoted(t *testing.T) {
	holed(t, trace.Options{Script: scriptOf(t, chanceProgram)}, `record again => *** record again: this session makes no past (start npdb with --record budget)`)
}
