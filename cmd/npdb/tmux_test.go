//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/npdb/npdb/internal/pythons"
)

// These tests use the screen in a real terminal. tmux receives keys and clicks, and is
// asked for the screen's text after each output.

// tmux is a terminal in tmux, with a shell from which npdb is started.
type tmux struct {
	t      *testing.T
	socket string
	dir    string
	wrote  chan struct{} // receives a value after output to the terminal
}

const patience = 60 * time.Second

// newTmux starts a terminal in its own folder, which contains npdb.
func newTmux(t *testing.T, columns, rows int) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skipf("skipped: there is no tmux: %v", err)
	}
	python := pythons.Any(t)
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "npdb")); err != nil { // TestMain runs npdb if it is called with this name
		t.Fatal(err)
	}
	m := &tmux{t: t, dir: dir, socket: filepath.Join(dir, "tmux"), wrote: make(chan struct{}, 1)}
	shell := "env -i PATH='" + filepath.Dir(python) + ":" + dir + ":/usr/bin:/bin' HOME='" + dir + "' TERM=xterm-256color LANG=C.UTF-8 LC_ALL=C.UTF-8 GORACE=atexit_sleep_ms=0 PS1='$ ' /bin/sh"
	m.tmux("-f", os.DevNull, "new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), "-c", dir, shell)
	t.Cleanup(func() { m.tmux("kill-server") })
	m.tmux("set", "-g", "status", "off")
	m.listen()
	m.until("$")
	return m
}

// listen makes tmux report output.
func (m *tmux) listen() {
	m.t.Helper()
	path := filepath.Join(m.dir, "written")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		m.t.Fatal(err)
	}
	pipe, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		m.t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		for buf := make([]byte, 64<<10); ; {
			if _, err := pipe.Read(buf); err != nil {
				return
			}
			select {
			case m.wrote <- struct{}{}:
			default:
			}
		}
	}()
	m.t.Cleanup(func() {
		if err := pipe.Close(); err != nil {
			m.t.Error(err)
		}
		<-over
	})
	m.tmux("pipe-pane", "-O", "exec cat > '"+path+"'")
}

// tmux runs a tmux command.
func (m *tmux) tmux(args ...string) string {
	m.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-u", "-S", m.socket}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// write writes a program into the folder.
func (m *tmux) write(name, text string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// keys presses keys by tmux's names; other texts are typed.
func (m *tmux) keys(names ...string) {
	m.t.Helper()
	m.tmux(append([]string{"send-keys"}, names...)...)
}

// click clicks on a cell, as a terminal reports it.
func (m *tmux) click(x, y int) {
	m.t.Helper()
	m.tmux("send-keys", "-l", fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1))
}

func (m *tmux) screen() string {
	m.t.Helper()
	return m.tmux("capture-pane", "-p")
}

// until waits until all texts are on the screen at once.
func (m *tmux) until(texts ...string) {
	m.t.Helper()
	m.untilTrue(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// untilTrue waits until a condition is true.
func (m *tmux) untilTrue(what string, holds func(screen string) bool) {
	m.t.Helper()
	for late := time.After(patience); ; {
		screen := m.screen()
		if holds(screen) {
			return
		}
		select {
		case <-m.wrote:
		case <-late:
			m.t.Fatalf("%s did not come; the screen is\n%s", what, screen)
		}
	}
}

// row returns the row of the screen that contains a text.
func (m *tmux) row(text string) int {
	m.t.Helper()
	for y, row := range strings.Split(m.screen(), "\n") {
		if strings.Contains(row, text) {
			return y
		}
	}
	m.t.Fatalf("%q is not on the screen:\n%s", text, m.screen())
	return 0
}

// whole fails the test unless the terminal is restored to its state before npdb.
func (m *tmux) whole() {
	m.t.Helper()
	m.untilTrue("the shell, and a terminal as it was", func(screen string) bool {
		return strings.HasSuffix(strings.TrimSpace(screen), "$") && strings.TrimSpace(m.tmux("display-message", "-p", "#{alternate_on}#{mouse_any_flag}#{cursor_flag}")) == "001"
	})
	m.keys("stty -a | tr ' ' '\\n' | grep -x -e echo -e icanon -e isig | tr '\\n' ' '", "Enter")
	m.until("isig icanon echo")
}

const walkProgram = `def f(x):
    y = x + 1
    return y


a = f(2)
b = f(a)
c = a + b
`

// walk makes the moves that every mode must support: into a call, over it, out of it, to a
// breakpoint set with the mouse, and the same backwards.
func (m *tmux) walk() {
	m.t.Helper()
	m.until("<module>:1 ", "idle")
	m.keys("n")
	m.until("<module>:6 ")
	m.keys("s")
	m.until("call f:1 ", "stack 2 frames")
	m.keys("n", "n")
	m.until(" f:3 ")
	m.keys("r")
	m.until("return f:3 ")
	m.keys("s")
	m.until("<module>:7 ")
	m.click(1, m.row("y = x + 1"))
	m.untilTrue("a breakpoint on line 2", func(screen string) bool {
		return strings.Contains(screen, "●   2") || strings.Contains(screen, "●  2")
	})
	m.keys("c")
	m.until(" f:2 ", "idle")
	m.keys("C")
	m.untilTrue("the breakpoint of the first call", func(screen string) bool {
		return strings.Contains(screen, " f:2 ") && strings.Contains(screen, "x  2")
	})
	m.keys("S")
	m.until("call f:1 ")
	m.keys("N")
	m.until("<module>:6 ")
	m.keys("s", "s")
	m.until(" f:2 ")
	m.keys("R")
	m.until("call f:1 ")
}

func TestWalkInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 120, 36)
	m.write("walk.py", walkProgram)
	m.keys("npdb walk.py", "Enter")
	m.walk()
	m.keys("q")
	m.until("npdb: ")
	m.whole()
}

func TestNeuralWalkInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 120, 36)
	m.write("walk.py", walkProgram)
	m.keys("npdb serve --contain limits --listen 127.0.0.1:0 &", "Enter")
	m.until("http://127.0.0.1:", "/v1")
	_, url, _ := strings.Cut(strings.ReplaceAll(m.screen(), "\n", ""), "http://")
	url, _, _ = strings.Cut("http://"+url, "/v1")
	url += "/v1"
	m.keys("clear; npdb --mode neural --base-url "+url+" --model oracle walk.py", "Enter")
	m.until("neural oracle")
	m.walk()
	m.until("inferred")
	m.keys("q")
	m.until("npdb: ")
	m.whole()
	m.keys("kill %1", "Enter")
}

func TestEditInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 100, 30)
	m.write("walk.py", walkProgram)
	m.keys("npdb walk.py", "Enter")
	m.until("<module>:1 ", "idle")
	m.keys("n", "s", "s")
	m.until(" f:2 ", "x  2")
	m.keys(":")
	m.until("(npdb)")
	m.keys("!x = 5", "Enter")
	m.until("x  5", "edited")
	m.keys("n")
	m.until("y  6")
	m.keys("q")
	m.until("npdb: ")
	m.whole()
}

func TestResizeInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 120, 36)
	m.write("busy.py", "n = 0\nwhile n >= 0:\n    n += 1; sum(range(5000))\n")
	m.keys("npdb busy.py", "Enter")
	m.until("<module>:1 ", "idle")
	m.keys("c")
	m.until("continue")
	for _, size := range [][2]string{{"60", "20"}, {"200", "60"}, {"80", "24"}} {
		m.tmux("resize-window", "-x", size[0], "-y", size[1])
		rows := 0
		_, _ = fmt.Sscan(size[1], &rows)
		m.untilTrue("a footer at "+size[1], func(screen string) bool {
			all := strings.Split(screen, "\n")
			if len(all) < rows || !strings.Contains(all[0], "npdb") {
				return false
			}
			// If the numbers are long, the progress leaves no room for the keys.
			last := all[rows-1]
			return strings.Contains(last, "? help") || strings.Contains(last, "Esc stops")
		})
	}
	m.keys("Escape")
	m.until("idle")
	m.keys("q")
	m.until("npdb: ")
	m.whole()
}

func TestInputInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 100, 30)
	m.write("ask.py", "import sys\nname = input('who? ')\nprint('hello', name, sys.stdin.isatty())\n")
	m.keys("npdb ask.py", "Enter")
	m.until("<module>:1 ", "idle")
	m.keys("c")
	m.until("waits for input", "in>")
	m.keys("Grete", "Enter")
	m.until("ended, exit code 0")
	m.keys("4")
	m.until("hello Grete True")
	m.keys("q")
	m.until("npdb: ")
	m.whole()
}

func TestTerminateInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 80, 24)
	m.write("walk.py", walkProgram)
	m.keys("npdb walk.py & echo $! > pid; fg", "Enter")
	m.until("<module>:1 ", "idle")
	m.tmux("run-shell", "kill -TERM $(cat '"+filepath.Join(m.dir, "pid")+"')")
	m.whole()
}

// TestDoctorInATerminal checks that npdb doctor queries the terminal and restores it.
func TestDoctorInATerminal(t *testing.T) {
	t.Parallel()
	m := newTmux(t, 80, 24)
	m.keys("npdb doctor terminal npdb; echo ended $?", "Enter")
	m.until("80 columns, 24 rows", "around it         tmux", "answers           yes, as tmux", "worth knowing.", "ended 0")
	m.whole()
}
