package frontend_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
)

// TestPaceInPlain checks that the progress is on its own line, which disappears when there
// is anything else to show.
func TestPaceInPlain(t *testing.T) {
	var out strings.Builder
	shown := frontend.NewPlain(&out, true)
	write := func(kind session.ChunkKind, text string) {
		if err := shown.Show(&session.Answer{Chunks: []session.Chunk{{Kind: kind, Text: text}}}); err != nil {
			t.Error(err)
		}
	}
	pace := func(events int, advice string) {
		if err := shown.Pace(&session.Pace{Events: events, Advice: advice}, 80); err != nil {
			t.Error(err)
		}
	}
	write(session.Wrote, "begun")
	pace(5, "")
	pace(6, "")
	write(session.Wrote, " and over\n")
	pace(7, "do\x1b that")
	pace(8, "")
	write(session.Where, "> prog.py(1)")
	pace(9, "rather this")
	if err := shown.Prompt("(npdb) ", session.ForCommand); err != nil {
		t.Error(err)
	}
	const clear = "\r\x1b[K"
	want := "begun\n5 events · Ctrl-C stops\x1b[K" + "\r6 events · Ctrl-C stops\x1b[K" + clear + " and over\n" +
		"\x1b[Kdo\\x1b that\n7 events · Ctrl-C stops\x1b[K" + "\r8 events · Ctrl-C stops\x1b[K" + clear + "> prog.py(1)\n" +
		"\x1b[Krather this\n9 events · Ctrl-C stops\x1b[K" + clear + "(npdb) "
	if got := out.String(); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}

// TestQuestionInAPipe checks that the question which the next line answers is shown, although no prompts
// are.
func TestQuestionInAPipe(t *testing.T) {
	for _, person := range []bool{true, false} {
		var out strings.Builder
		shown := frontend.NewPlain(&out, person)
		a := &session.Answer{Waiting: session.ForConfirmation, Prompt: "Run it? (y/n) "}
		if err := shown.Show(a); err != nil {
			t.Fatal(err)
		}
		if err := shown.Prompt(a.Prompt, a.Waiting); err != nil {
			t.Fatal(err)
		}
		if strings.Count(out.String(), "Run it? (y/n)") != 1 {
			t.Errorf("for a person %v: %q", person, out.String())
		}
	}
}
