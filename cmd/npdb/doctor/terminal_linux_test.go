package doctor

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// plainTerminal clears all variables that describe a terminal.
func plainTerminal(t *testing.T) {
	t.Helper()
	for _, name := range []string{
		"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "TERM_PROGRAM",
		"TMUX", "STY", "ZELLIJ", "SSH_CONNECTION", "SSH_TTY", "WSL_DISTRO_NAME",
	} {
		t.Setenv(name, "")
	}
	t.Setenv("TERM", "xterm-256color")
}

// onPty returns the facts for a terminal that sends these replies. The last reply marks the end of the
// answers. A terminal with the replies "" does not answer.
func onPty(t *testing.T, patience time.Duration, replies string) []Fact {
	t.Helper()
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	defer terminal.Close()
	if err := pty.Setsize(screen, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	before, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	if replies != "" {
		go func() {
			var asked strings.Builder
			for b := make([]byte, 256); !strings.HasSuffix(asked.String(), ansi.RequestPrimaryDeviceAttributes); {
				n, err := screen.Read(b)
				if err != nil {
					return // the test has already failed
				}
				asked.Write(b[:n])
			}
			_, _ = screen.WriteString(replies)
		}()
	}
	g := &Given{Config: loaded(t, ""), UTF8: true, In: terminal, Out: terminal, patience: patience}
	facts := g.terminal(t.Context())
	documented(t, "terminal", facts)
	after, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(before, after) {
		t.Errorf("the terminal's modes are %+v, they were %+v", after, before)
	}
	wants(t, fact(t, facts, "size", ""), Right, "80 columns, 24 rows")
	wants(t, fact(t, facts, "standard streams", ""), Right, "a terminal")
	return facts
}

// TestTerminalAnswers checks a terminal that supports everything. Keys typed meanwhile do
// not count as answers.
func TestTerminalAnswers(t *testing.T) {
	plainTerminal(t)
	t.Setenv("COLORTERM", "truecolor")
	facts := onPty(t, time.Minute, "ls\x1b[A\x1b]11;rgb:ffff/fafa/f0f0\x1b\\\x1bP>|kitty(0.40)\x1b\\\x1b[?0u\x1b[?1006;2$y\x1b[?62;52;c")
	wants(t, fact(t, facts, "answers", ""), Right, "as kitty(0.40)")
	wants(t, fact(t, facts, "colors", ""), Right, "16 million; theme npdb-light; background light (as it says, #fffaf0)")
	wants(t, fact(t, facts, "mouse", ""), Right, "reported")
	wants(t, fact(t, facts, "clipboard", ""), Right, "taken")
	wants(t, fact(t, facts, "keys", ""), Right, "kitty protocol")
	wants(t, fact(t, facts, "around it", ""), Right, "nothing")
	valued(t, facts, map[string]string{
		"standard streams": `{"input":true,"output":true}`, "TERM": `"xterm-256color"`, "COLORTERM": `"truecolor"`, "encoding": "true",
		"around it": "[]", "size": `{"columns":80,"rows":24}`, "answers": "true", "mouse": "true", "clipboard": "true", "keys": "true",
		"colors": `{"asked":true,"dark":false,"depth":"TrueColor","theme":"npdb-light"}`,
	})
}

// TestTerminalIsTmux checks that tmux is recognised by its answer if the environment does
// not name it.
func TestTerminalIsTmux(t *testing.T) {
	plainTerminal(t)
	if f := fact(t, onPty(t, time.Minute, "\x1bP>|tmux 3.3a\x1b\\\x1b[?1;2;4c"), "around it", ""); f.Text != "tmux" {
		t.Errorf("%+v", f)
	}
}

// TestTerminalThatCanLittle checks a terminal that answers only the last query and denies one feature.
func TestTerminalThatCanLittle(t *testing.T) {
	plainTerminal(t)
	facts := onPty(t, time.Minute, "\x1b[?1006;0$y\x1b[?1;2c")
	wants(t, fact(t, facts, "answers", ""), Right, "does not say what it is called")
	wants(t, fact(t, facts, "colors", ""), Right, "256; theme npdb-dark; background dark (taken for dark")
	wants(t, fact(t, facts, "mouse", ""), Note, "not reported")
	wants(t, fact(t, facts, "clipboard", ""), Right, "does not say")
	wants(t, fact(t, facts, "keys", ""), Note, "not by the kitty protocol")
	valued(t, facts, map[string]string{"answers": "true", "mouse": "false", "clipboard": "null", "keys": "false"})
	facts = onPty(t, time.Minute, "\x1b[?1;2c")
	wants(t, fact(t, facts, "mouse", ""), Right, "does not say")
	valued(t, facts, map[string]string{"mouse": "null"})
	facts = onPty(t, time.Minute, "\x1b[?1006;4$y\x1b[?1;2c")
	wants(t, fact(t, facts, "mouse", ""), Note, "not reported")
}

// TestTerminalIsMute checks that npdb stops waiting for a terminal that does not answer.
func TestTerminalIsMute(t *testing.T) {
	plainTerminal(t)
	facts := onPty(t, time.Millisecond, "")
	wants(t, fact(t, facts, "answers", ""), Note, "did not answer within")
	wants(t, fact(t, facts, "colors", ""), Right, "256; theme npdb-dark")
	valued(t, facts, map[string]string{"answers": "false"})
	if last := facts[len(facts)-1]; last.Name != "answers" {
		t.Errorf("more is told of it: %+v", last)
	}
}

// TestTerminalAnswersSome checks a terminal whose answers stop in the middle: the answers
// so far count.
func TestTerminalAnswersSome(t *testing.T) {
	a := &answers{keyboard: true}
	facts := a.facts(t.Context())
	wants(t, fact(t, facts, "answers", ""), Note, "did not answer all")
	wants(t, fact(t, facts, "keys", ""), Right, "kitty")
}

// TestTerminalWithoutSize checks a terminal that does not report its size, for example on
// a serial line.
func TestTerminalWithoutSize(t *testing.T) {
	plainTerminal(t)
	t.Setenv("TERM", "dumb")
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	defer terminal.Close()
	for _, size := range []pty.Winsize{{}, {Rows: 24}, {Cols: 80}} {
		if err := pty.Setsize(screen, &size); err != nil {
			t.Fatal(err)
		}
		f := fact(t, (&Given{In: terminal, Out: terminal}).terminal(t.Context()), "size", "")
		if wants(t, f, Note, "does not say"); f.Do == "" {
			t.Errorf("%+v", f)
		}
	}
}

// TestTerminalIsDumb checks that a text-only terminal is not queried.
func TestTerminalIsDumb(t *testing.T) {
	plainTerminal(t)
	t.Setenv("TERM", "dumb")
	wants(t, fact(t, onPty(t, time.Minute, ""), "answers", ""), Note, "not asked: TERM is dumb")
}

// TestQuestionsOfApple checks that Apple's terminal does not get the mouse query, which it
// would display.
func TestQuestionsOfApple(t *testing.T) {
	t.Setenv("TERM_PROGRAM", "Apple_Terminal")
	if strings.Contains(questions(), ansi.RequestModeMouseExtSgr) {
		t.Error("it is asked")
	}
	t.Setenv("TERM_PROGRAM", "")
	if !strings.Contains(questions(), ansi.RequestModeMouseExtSgr) {
		t.Error("it is not asked")
	}
}

func TestNoTerminal(t *testing.T) {
	plainTerminal(t)
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	defer terminal.Close()
	t.Setenv("TERM", "")
	t.Setenv("TMUX", "/tmp/tmux-0/default,1,0")
	t.Setenv("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22")
	t.Setenv("SSH_TTY", "/dev/pts/1")
	for words, ends := range map[string][2]*os.File{
		"not a terminal":           {null, null},
		"input is not a terminal":  {null, terminal},
		"output is not a terminal": {terminal, null},
	} {
		facts := (&Given{In: ends[0], Out: ends[1]}).terminal(t.Context())
		documented(t, "terminal", facts)
		if len(facts) != 6 {
			t.Errorf("%s: something was asked: %+v", words, facts)
		}
		valued(t, facts, map[string]string{"TERM": `""`, "encoding": "false", "around it": `["tmux","ssh"]`})
		if f := fact(t, facts, "standard streams", ""); f.Do == "" {
			t.Error("what to do is not said")
		} else {
			wants(t, f, Note, words)
		}
		wants(t, fact(t, facts, "TERM", ""), Note, "not set")
		wants(t, fact(t, facts, "encoding", ""), Note, "not UTF-8")
		f := fact(t, facts, "around it", "")
		if wants(t, f, Right, "tmux, ssh"); strings.Contains(f.Text, "192") {
			t.Error("who is connected is told")
		}
	}
}

// TestColors checks that the configured theme is reported, and that a note suggests more colors if the
// terminal could have them.
func TestColors(t *testing.T) {
	plainTerminal(t)
	g := &Given{Config: loaded(t, "theme = 'colorblind'\n")}
	f := g.colors(colorprofile.ANSI, nil)
	wants(t, f, Right, "16; theme colorblind-dark; background dark")
	if v := f.Value.(map[string]any); v["theme"] != "colorblind-dark" || v["depth"] != "ANSI" || v["asked"] != false || v["dark"] != true {
		t.Errorf("%v", v)
	}
	g.Config.Theme = "colorblnd"
	wants(t, g.colors(colorprofile.ANSI, nil), Wrong, "colorblnd")
	if f := (&Given{}).colors(colorprofile.NoTTY, nil); f.Mark != Right || f.Do != "" {
		t.Errorf("a file has no colors: %+v", f)
	}
	t.Setenv("NO_COLOR", "1")
	f = fact(t, onPty(t, time.Minute, "\x1b[?1;2c"), "colors", "")
	if wants(t, f, Note, "none; theme npdb-dark"); f.Do == "" {
		t.Errorf("%+v", f)
	}
}

// TestClipboardInTmux checks the fact for tmux's setting of the clipboard.
func TestClipboardInTmux(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("TMUX", "/tmp/tmux-0/default,1,0")
	for option, mark := range map[string]Mark{"on": Right, "external": Note, "off": Note} {
		script(t, dir, "tmux", "echo "+option)
		f := (&answers{}).clipboard(tmuxClipboard(t.Context()))
		if wants(t, f, mark, "tmux"); (f.Do == "") != (mark == Right) || f.Value != (mark == Right) {
			t.Errorf("%+v", f)
		}
	}
	script(t, dir, "tmux", "exit 1")
	wants(t, (&answers{clipboards: true}).clipboard(tmuxClipboard(t.Context())), Right, "taken (OSC 52)")
}
