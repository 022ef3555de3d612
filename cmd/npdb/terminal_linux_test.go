package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/internal/pythons"
)

// TestTerminalIsLeftAsItWas checks that the terminal is restored however npdb or the
// program ends.
func TestTerminalIsLeftAsItWas(t *testing.T) {
	for _, c := range []struct {
		name, program string
		lines         []string       // typed one by one at the prompt
		last          string         // text on the screen before the end
		signal        syscall.Signal // that ends npdb; 0 to quit
	}{
		{"quit", "a = 1\n", []string{"n"}, "--Return--", 0},
		{"quit at the end", "print('done')\n", []string{"c"}, "The program finished", 0},
		{"a crash of the program", "import ctypes\nctypes.string_at(0)\n", []string{"c"}, "killed by signal 11", 0},
		{"the program's own escapes", "print('\\x1b[?25l\\x1b[?1049h\\x1b]0;title\\x07')\n", []string{"c"}, "The program finished", 0},
		{"terminate", "a = 1\n", nil, "-> a = 1", syscall.SIGTERM},
		{"hang up", "a = 1\n", nil, "-> a = 1", syscall.SIGHUP},
		{"quit signal at a password", "import getpass\ngetpass.getpass('Word: ')\n", []string{"c"}, "Word: ", syscall.SIGQUIT},
		{"abort at a password", "import getpass\ngetpass.getpass('Word: ')\n", []string{"c"}, "Word: ", syscall.SIGABRT},
		{"terminate at a password", "import getpass\ngetpass.getpass('Word: ')\n", []string{"c"}, "Word: ", syscall.SIGTERM},
		{"kill", "a = 1\n", nil, "-> a = 1", syscall.SIGKILL},
		{"kill while it runs", "n = 0\nwhile True:\n    n += 1\n", []string{"b 3", "c", "cl 1", "c"}, "c\r\n", syscall.SIGKILL},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plainOn(t, c.program)
			cmd, screen, terminal, shown := p.cmd, p.screen, p.terminal, &p.shown
			before := p.before
			for _, line := range c.lines {
				shown.until(t, "(npdb) ")
				if _, err := io.WriteString(screen, line+"\n"); err != nil {
					t.Fatal(err)
				}
			}
			shown.until(t, c.last)
			var err error
			if c.signal != 0 {
				err = cmd.Process.Signal(c.signal)
			} else {
				shown.until(t, "(npdb) ")
				_, err = io.WriteString(screen, "q\n")
			}
			if err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // other tests check the exit code
			if after := modes(t, terminal); !reflect.DeepEqual(after, before) {
				t.Errorf("the terminal's modes are %+v, they were %+v", after, before)
			}
			if strings.ContainsAny(shown.text.String(), "\x1b\x07") {
				t.Errorf("escapes reached the terminal: %q", shown.text.String())
			}
		})
	}
}

// TestTerminalHidesPassword checks that a password is not echoed, and that echo is on
// again afterwards.
func TestTerminalHidesPassword(t *testing.T) {
	p := plainOn(t, "import getpass\nname = input('Name: ')\nsize = len(getpass.getpass('Word: '))\n")
	for _, step := range [][2]string{{"(npdb) ", "c"}, {"Name: ", "ann"}, {"Word: ", "secret"}} {
		p.shown.until(t, step[0])
		if _, err := io.WriteString(p.screen, step[1]+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	p.shown.until(t, "The program finished")
	p.shown.until(t, "(npdb) ")
	if after := modes(t, p.terminal); !reflect.DeepEqual(after, p.before) {
		t.Errorf("the terminal's modes are %+v, they were %+v", after, p.before)
	}
	if shown := p.shown.text.String(); strings.Contains(shown, "secret") || !strings.Contains(shown, "Name: ann\r\n") || !strings.Contains(shown, "Word: \r\n") {
		t.Errorf("shown: %q", shown)
	}
	kept, err := filepath.Glob(filepath.Join(p.dir, "state", "npdb", "journal", "*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("the journals are %q, %v", kept, err)
	}
	if text, err := os.ReadFile(kept[0]); err != nil || strings.Contains(string(text), "secret") || !strings.Contains(string(text), "ann") {
		t.Errorf("the journal is %s, %v", text, err)
	}
}

// plainRun is npdb --plain on a terminal.
type plainRun struct {
	dir              string
	cmd              *exec.Cmd
	screen, terminal *os.File
	before           unix.Termios
	shown            transcript
}

// plainOn starts npdb with a program.
func plainOn(t *testing.T, source string) *plainRun {
	t.Helper()
	python := pythons.Any(t)
	p := &plainRun{dir: t.TempDir()}
	program := filepath.Join(p.dir, "prog.py")
	if err := os.WriteFile(program, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	npdb := filepath.Join(p.dir, "npdb") // TestMain runs npdb if it is called with this name
	if err := os.Symlink(self, npdb); err != nil {
		t.Fatal(err)
	}
	if p.screen, p.terminal, err = pty.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = p.screen.Close(), p.terminal.Close() })
	p.before = modes(t, p.terminal)
	p.cmd = exec.Command(npdb, "--plain", "--python", python, program)
	p.cmd.Env = append(os.Environ(), "HOME="+p.dir, "XDG_STATE_HOME="+filepath.Join(p.dir, "state"), "XDG_CONFIG_HOME="+p.dir, "TERM=xterm", "GORACE=atexit_sleep_ms=0")
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = p.terminal, p.terminal, p.terminal
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	p.shown.in = bufio.NewReader(p.screen)
	return p
}

func modes(t *testing.T, terminal *os.File) unix.Termios {
	t.Helper()
	m, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *m
}

// transcript is the text that appeared on a screen.
type transcript struct {
	in   *bufio.Reader
	text strings.Builder
	seen int
}

// until reads until a text appears.
func (s *transcript) until(t testing.TB, text string) {
	t.Helper()
	for {
		if i := strings.Index(s.text.String()[s.seen:], text); i >= 0 {
			s.seen += i + len(text)
			return
		}
		b, err := s.in.ReadByte()
		if err != nil {
			t.Fatalf("%q did not come, only %q: %v", text, s.text.String(), err)
		}
		s.text.WriteByte(b)
	}
}

// TestPageOnTerminal checks that a list fits the terminal, and has colors unless they are
// turned off.
func TestPageOnTerminal(t *testing.T) {
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	defer terminal.Close()
	if err := pty.Setsize(screen, &pty.Winsize{Rows: 24, Cols: 72}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "TMUX"} {
		t.Setenv(name, "")
	}
	t.Setenv("TERM", "xterm-256color")
	if p := cli.PageOn(terminal); p.Columns != 72 || !p.Colors() {
		t.Errorf("%d columns, colors %v", p.Columns, p.Colors())
	}
	t.Setenv("NO_COLOR", "1")
	if p := cli.PageOn(terminal); p.Columns != 72 || p.Colors() {
		t.Errorf("without colors: %d columns, colors %v", p.Columns, p.Colors())
	}
	if p := cli.PageOn(&strings.Builder{}); p.Columns != 0 || p.Colors() {
		t.Errorf("no terminal: %d columns, colors %v", p.Columns, p.Colors())
	}
}
