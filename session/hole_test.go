//go:build unix

package session_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

const holeProgram = `def step(i):
    return i * 2
def work(n):
    total = 0
    for i in range(n):
        total += step(i)
    return total
def report(total):
    name = "t"
    return total
first = report(1)
second = report(work(30))
third = report(0)
`

var bytesHeld = regexp.MustCompile(`[0-9,]+ bytes`)

// holed runs commands with the program, and checks the answer to each.
func holed(t *testing.T, o trace.Options, script string) {
	t.Helper()
	o.Python = pythons.Any(t)
	var lines, want []string
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		command, says, _ := strings.Cut(line, " => ")
		lines, want = append(lines, command), append(want, says)
	}
	said := played(t, o, nil, lines...)[1:]
	for i, line := range lines {
		got := strings.Join(strings.Fields(bytesHeld.ReplaceAllString(strings.ReplaceAll(said[i], filepath.Dir(o.Script)+"/", ""), "BYTES bytes")), " ")
		if got != want[i] {
			t.Errorf("%s:\n%s\nwant\n%s", line, got, want[i])
		}
	}
}

func holeOptions(t *testing.T) trace.Options {
	t.Helper()
	return trace.Options{Script: scriptOf(t, holeProgram)}
}

// TestHoleMoves checks that backward moves stop at the edge of a hole, and continue before
// it when repeated. Forward moves land on its far side.
func TestHoleMoves(t *testing.T) {
	const (
		near   = "Recording began again here; what came before was not recorded. Given again, the move goes on before it (event 1 and earlier)."
		far    = "Recording began again here; what the program did after event 1 was not recorded."
		across = "What the program did after this, up to event 2, was not recorded."
		body   = "> prog.py(9)report() -> name = \"t\""
		early  = "> prog.py(3)<module>() -> def work(n):"
		first  = "> prog.py(1)<module>() -> def step(i):"
	)
	for _, c := range []struct{ back, forth, landsOn string }{
		{"rs", "s", early},
		{"rn", "n", early},
		{"rf", "r", ""}, // neither its call nor anything that it returns to was recorded
		{"rewind", "c", first},
		{"rc", "c", ""},
		{"reverse-until 1", "until 50", ""},
	} {
		t.Run(c.back, func(t *testing.T) {
			o := holeOptions(t)
			script := "s => " + early + "\ntbreak 9 => Breakpoint 1 at prog.py:9\nfc => Deleted breakpoint 1 at prog.py:9 " + body + "\n" +
				c.back + " => " + near + "\n"
			if c.landsOn != "" {
				script += c.back + " => " + across + " " + c.landsOn + "\n" + c.forth + " => " + far + " " + body + "\n"
				script += "n => > prog.py(10)report() -> return total\n" + c.back + " => " + map[bool]string{true: near + " ", false: ""}[c.back == "rewind"] + body + "\n"
			}
			holed(t, o, script)
		})
	}
}

// TestHoleReverseContinue checks that reverse-continue at the edge of a hole continues to
// breakpoints before it.
func TestHoleReverseContinue(t *testing.T) {
	holed(t, holeOptions(t), `b 10 => Breakpoint 1 at prog.py:10
		c => > prog.py(10)report() -> return total
		fc => > prog.py(10)report() -> return total
		u => > prog.py(12)<module>() -> second = report(work(30))
		n => > prog.py(13)<module>() -> third = report(0)
		rc => > prog.py(10)report() -> return total
		rc => Recording began again here; what came before was not recorded. Given again, the move goes on before it (event 6 and earlier).
		rc => What the program did after this, up to event 7, was not recorded. > prog.py(10)report() -> return total
		info program => Program: prog.py Here: event 6 of the recording The program waits at event 9 Recorded: 10 events, BYTES bytes Unrecorded: before event 7
		fc => Recording began again here; what the program did after event 6 was not recorded. > prog.py(10)report() -> return total
		fc => > prog.py(10)report() -> return total
		fc => The program finished. Exit code: 0 Backward moves (rs, rn, rf, rc) still work; restart runs it again.
		rs => The program ran unrecorded up to its end; given again, the move goes on from event 10. The program finished. Exit code: 0 Backward moves (rs, rn, rf, rc) still work; restart runs it again.
		rs => What the program did after this, up to its end, was not recorded. > prog.py(10)report() -> return total`)
}

// TestHoleFind checks that find reports a hole, and continues before it when repeated.
func TestHoleFind(t *testing.T) {
	const (
		near   = "Recording began again here; what came before was not recorded. Given again, the move goes on before it (event 1 and earlier)."
		far    = "Recording began again here; what the program did after event 1 was not recorded."
		across = "What the program did after this, up to event 2, was not recorded."
		body   = "> prog.py(9)report() -> name = \"t\""
	)
	holed(t, holeOptions(t), `s => > prog.py(3)<module>() -> def work(n):
		tbreak 9 => Breakpoint 1 at prog.py:9
		fc => Deleted breakpoint 1 at prog.py:9 `+body+`
		n => > prog.py(10)report() -> return total
		find -r not globals() => `+near+` find passed 1 line at which not globals() is not known, first event 2: it cannot be told from recorded text (globals: is a builtin that has effects, or needs more than the texts of values) `+body+`
		find -r 1 == 1 => `+across+` > prog.py(3)<module>() -> def work(n):
		find 1 == 2 => `+far+" "+body+`
		goto 1 => > prog.py(3)<module>() -> def work(n):
		find total == 1 => `+far+" "+body+`
		find name == "t" => > prog.py(10)report() -> return total
		goto 2 => `+body+`
		find -r 1 == 2 => `+near+`
		find -r 1 == 2 => No earlier event ends this move (rewind goes to the first state).
		goto 2 => `+body+`
		fc => The program finished. Exit code: 0 Backward moves (rs, rn, rf, rc) still work; restart runs it again.
		goto 3 => > prog.py(10)report() -> return total
		find 1 == 2 => 1 == 2 is true at no later line that was recorded; where it raises, it counts as not true. goto 100% goes to the end.`)
}

// TestHoleRecordOff checks that after record off moves do not record what they pass over,
// but steps do.
func TestHoleRecordOff(t *testing.T) {
	holed(t, holeOptions(t), `record => Recording is on: all that the program does is recorded
		record off => Recording is off: next, return, until, continue and advance watch breakpoints and where they land, and record nothing else
		advance 12 => > prog.py(12)<module>() -> second = report(work(30))
		s => --Call-- > prog.py(3)work() -> def work(n):
		rs => > prog.py(12)<module>() -> second = report(work(30))
		s => --Call-- > prog.py(3)work() -> def work(n):
		until 7 => > prog.py(7)work() -> return total
		p total, i => (870, 29)
		rs => Recording began again here; what came before was not recorded. Given again, the move goes on before it (event 2 and earlier).
		r => --Return-- > prog.py(7)work()->870 -> return total
		restart => Restarting prog.py with arguments: > prog.py(1)<module>() -> def step(i):
		record => Recording is off: next, return, until, continue and advance watch breakpoints and where they land, and record nothing else
		record on => Recording is on: all that the program does is recorded
		record maybe => *** Invalid argument: maybe Usage: record [on | off | again]`)
}

// TestHoleFirst checks that there is a hole before the beginning of the recording, however
// often one tries to go back.
func TestHoleFirst(t *testing.T) {
	o := holeOptions(t)
	o.From = "report"
	const edge = "Recording began here; what came before was not recorded."
	holed(t, o, `rs => `+edge+`
		rs => `+edge+`
		last total => total: no value -> 1 where nothing was recorded, before event 0 (goto 0 goes there)
		info program => Program: prog.py Here: event 0, the live edge The program waits at event 0 Recorded: 1 event, BYTES bytes Unrecorded: before event 0`)
}

// TestHoleResumed checks that a journal of a session with holes is replayed to its end.
func TestHoleResumed(t *testing.T) {
	o := holeOptions(t)
	o.Python = pythons.Any(t)
	state := t.TempDir()
	keep := func(c *session.Config) { c.StateDir = state }
	o.From = "report"
	played(t, o, keep, "n", "record off", "b 10", "fc", "fc", "rs", "rs")
	j, err := journal.Find(state, trace.Options{Script: o.Script})
	if err != nil {
		t.Fatal(err)
	}
	again := j.Options(trace.Options{Script: o.Script, Python: o.Python})
	if again.From != "report" {
		t.Errorf("it begins at %q", again.From)
	}
	cfg := session.Config{Start: session.StartTrace, StateDir: t.TempDir(), Options: again}
	s, err := interpreted(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	a := s.Resume(t.Context(), j)
	if a.Err != nil || a.State == nil || a.State.Line != 10 || s.Position().Event != 2 {
		t.Errorf("resumed at event %d, %+v, %v", s.Position().Event, a.State, a.Err)
	}
}

// TestInfoTellsWhereNothingWasRecorded checks that an unrecorded part is listed with its
// place, also if nothing was recorded since.
func TestInfoTellsWhereNothingWasRecorded(t *testing.T) {
	s := written(t, "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n")
	run(s, "b 3", "fc")
	if got := run(s, "info program"); !strings.Contains(got, "Unrecorded: before event 1") {
		t.Errorf("behind a hole: %s", got)
	}
	run(s, "clear 1", "fc")
	if got := run(s, "info program"); !strings.Contains(got, "before event 1, after event 1\n") {
		t.Errorf("at the end of one: %s", got)
	}
}
