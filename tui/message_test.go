package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// rowWith returns the row of the screen that has a text, or -1.
func (d *driver) rowWith(text string) int {
	for y, row := range strings.Split(d.text(), "\n") {
		if strings.Contains(row, text) {
			return y
		}
	}
	return -1
}

// TestAnswerWithoutThePane checks that an answer of several lines is shown if there is no
// output pane, until the next key.
func TestAnswerWithoutThePane(t *testing.T) {
	d := drive(t, 80, 24, shop(t))
	inPrice(d)
	d.command("w")
	d.shows(" output ──")
	d.shows("-> low, cost = restock(shelves)")
	if d.rowWith("price(name") < 0 || d.rowWith(" output ──") < 10 {
		t.Errorf("the source is covered:\n%s", d.text())
	}
	d.press("ctrl+l")
	d.showsNot("-> low, cost = restock(shelves)")
	d.shows(" locals price")
	d.command("help") // an answer that is larger than the room for it
	d.shows(" output · 4 shows all ──")
	d.press("4")
	d.showsNot("4 shows all")
	d.shows("╎Moving forwards:")
	d.press("1", "2", "4")
	d.shows("╎Moving forwards:")
	d.press("G")
	d.showsNot("╎Moving forwards:")

	d = drive(t, 120, 36, shop(t))
	inPrice(d)
	d.command("w")
	if got := len(d.m.words()); got != 0 {
		t.Errorf("%d words where the pane shows the answer:\n%s", got, d.text())
	}
}

// TestStopSupersedesWords checks that the answer of an earlier command does not look like
// the reason of a later stop: the last rows drop it, the pane dims it, and the strip shows
// it only below its command.
func TestStopSupersedesWords(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 20}, {120, 36}} {
		d := drive(t, size[0], size[1], shop(t))
		d.command("b 3 ;; c")
		if words := d.m.words(); len(words) > 0 {
			t.Errorf("%v: at the stop the last rows say %v", size, words)
		}
		d.command("watch PRICES")
		d.press("c")
		d.shows("Watchpoint 2: PRICES: no value")
		d.press("n")
		if shown, strip := d.rowWith("Watchpoint 2: PRICES: no value") >= 0, d.m.layout.strip; shown == strip {
			t.Errorf("%v: at the next stop the watchpoint is told of: %v, in a strip: %v\n%s", size, shown, strip, d.text())
		}
		d.command("p 6 * 7")
		d.press("s")
		d.shows("╎(npdb) p 6 * 7")
		d.shows("╎42")
		d.command("p 6 * 7 ;; p 6 * 8 ;; s")
		if shown, strip := d.rowWith("╎48") >= 0, d.m.layout.strip; shown == strip {
			t.Errorf("%v: an answer without its command: %v, in a strip: %v\n%s", size, shown, strip, d.text())
		}
	}
}

// TestHelpFlows checks that only the pane breaks help into rows, however narrow it is.
func TestHelpFlows(t *testing.T) {
	d := drive(t, 60, 24, shop(t))
	d.command("help until")
	d.shows("number, to that line or a later one. Stops at the return")
}

// TestWordsLeaveTheTimeline checks that a message over the panes does not cover the
// timeline and the last row, which has the keys or the progress of the running command.
func TestWordsLeaveTheTimeline(t *testing.T) {
	for _, size := range [][2]int{{40, 14}, {60, 20}, {80, 24}} {
		d := drive(t, size[0], size[1], replayed(t, threeLines()))
		last := func() (timeline, row string) {
			rows := strings.Split(strings.TrimRight(d.text(), "\n"), "\n")
			return rows[size[1]-2], strings.TrimSpace(rows[size[1]-1])
		}
		d.hush()
		timeline, row := last()
		d.m.tell(themes.Text, "an answer")
		d.m.tell(themes.Text, "of two rows\n\t\n")
		if t1, r1 := last(); t1 != timeline || r1 != row {
			t.Errorf("%v:\n%s", size, d.text())
		}
		if d.rowWith("of two rows") != size[1]-3 {
			t.Errorf("%v: rows that say nothing:\n%s", size, d.text())
		}
		d.m.told = d.m.told[:1]
		d.m.screen.Running = &pane.Running{Since: d.now, Pace: &session.Pace{Events: 1234}}
		if t1, r1 := last(); !strings.HasPrefix(t1, "█·") || !strings.HasSuffix(t1, " 0%") || !strings.HasPrefix(r1, "1,234 events") || d.rowWith("an answer") != size[1]-3 {
			t.Errorf("%v, while one runs:\n%s", size, d.text())
		}
	}
}

// TestLongWords checks that a message that does not fit in one row takes more rows, with
// the remedy at its end.
func TestLongWords(t *testing.T) {
	for _, width := range []int{40, 60, 80} {
		d := drive(t, width, 24, replayed(t, threeLines()))
		d.hush()
		d.m.answered(&session.Answer{Err: &session.Error{Message: "http://127.0.0.1:18499/v1 refuses connections: no server runs there. Start one, and retry asks again"}})
		d.shows("retry asks again")
		d.hush()
		d.m.screen.Flash = strings.Repeat("long ", 30) + "end"
		d.shows("long end")
		d.m.screen.Flash = strings.Repeat("long ", 300) + "end"
		d.shows("…")
		d.shows("npdb")
	}
}

func threeLines() *run {
	r := newRun("/src/a.py", "x = 1\ny = 2\nz = 3\n")
	r.module(3, "x")
	r.line(1)
	r.line(2)
	r.line(3)
	r.tree.Finish()
	return r
}

// TestRolesOfWords checks that an answer, a notice and an error look different.
func TestRolesOfWords(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		d := drive(t, size[0], size[1], replayed(t, threeLines()))
		for _, c := range []struct {
			chunk session.ChunkKind
			err   *session.Error
			want  themes.Role
		}{
			{session.Said, nil, themes.Text},
			{session.Notice, nil, themes.Notice},
			{session.Said, &session.Error{Message: "it went wrong"}, themes.Error},
		} {
			d.hush()
			d.m.answered(&session.Answer{Chunks: []session.Chunk{{Kind: c.chunk, Text: "words"}}, Err: c.err})
			rows, _ := d.m.wordRows(80, 9)
			if len(rows) == 0 || rows[len(rows)-1].role != c.want {
				t.Errorf("%v: %+v, not of role %v", size, rows, c.want)
			}
		}
	}
}

// TestErrorAfterManyWords checks that a message that is too long is cut, but that the
// error at its end is kept.
func TestErrorAfterManyWords(t *testing.T) {
	d := drive(t, 80, 24, replayed(t, threeLines()))
	for range 500 {
		d.m.tell(themes.Text, "an answer")
	}
	d.m.tell(themes.Error, "*** it went wrong")
	d.shows("4 shows all")
	d.shows("*** it went wrong")
}

// TestSizeWordsGoAway checks that the message about the terminal's size goes away when the
// size is large enough.
func TestSizeWordsGoAway(t *testing.T) {
	d := drive(t, 80, 24, replayed(t, threeLines()))
	d.resize(40, 10)
	d.shows("40×10 is small; 60×20 shows all.")
	d.resize(50, 18)
	d.shows("50×18 is small")
	d.resize(80, 24)
	d.showsNot("is small")
	d.m.screen.Flash = "another word"
	d.resize(100, 30)
	d.shows("another word")
}

// TestRunningHints checks that the last row says how to stop a running command, and that a
// command that is over at once does not change the row.
func TestRunningHints(t *testing.T) {
	d, p := prefetch(t)
	steps := d.rowWith("s step")
	d.tell(key("s"))
	d.asks(p, 3)
	if got := d.rowWith("s step"); got != steps {
		t.Errorf("the last row changes at once:\n%s", d.text())
	}
	d.now = d.now.Add(time.Second)
	d.shows("Esc cancel the question  ? help")
	d.showsNot("s step")
	d.tell(key("n"))
	d.tell(key("n"))
	d.shows("Esc cancel the question, drops 2 more")
	d.tell(key("esc"))
	d.shows("Stopping.")
	d.hush()
	d.showsNot("end the program") // a model answers: there is no program to end
	p.open()
	d.settle()
	d.hush()
	d.shows("s step")
}

// TestSearchHints checks that, after a search with matches, the hints name the keys for
// the next match.
func TestSearchHints(t *testing.T) {
	d := drive(t, 80, 24, shop(t))
	d.press("/")
	d.write("shelf")
	d.press("enter")
	d.shows("match 1 of")
	d.shows(". next  , previous  Esc clear")
	d.press("esc")
	d.showsNot("previous")
}

// TestQuestionOfTheProgram checks that the program's question is shown before its answer
// line, also beside the output pane, which then does not hint at a key for it.
func TestQuestionOfTheProgram(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		d := drive(t, size[0], size[1], cpython(t, "reads.py"))
		d.press("n", "n")
		d.tell(key("n"))
		d.until(func() bool { return d.m.screen.Running != nil && d.m.screen.Running.Waits })
		d.shows("in> name: ")
		d.showsNot("the program waits for input:")
		d.tell(key("esc"))
		d.shows("i type the program's input")
		d.tell(key("4"))
		d.tell(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		d.shows("output · the program waits for input: i")
		d.tell(key("i"))
		d.tell(key("enter"))
		d.settle()
	}
}

// hush clears the messages in the last rows, as a key does.
func (d *driver) hush() { d.m.screen.Flash, d.m.told = "", nil }
