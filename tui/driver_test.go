package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/keys"
)

// programs is the directory with copies of testdata/programs. Golden files have
// shownPrograms in its place, which is as long, so that lines break at the same columns.
var programs = fmt.Sprintf("/tmp/npdb-%07d", os.Getpid())

const shownPrograms = "/home/grete/shop1"

func TestMain(m *testing.M) {
	// The tests do not read the user's own themes.
	if err := os.Setenv("XDG_CONFIG_HOME", filepath.Join(programs, "none")); err != nil {
		panic(err)
	}
	// An earlier process with this number may have been killed before it cleaned up.
	if err := os.RemoveAll(programs); err != nil {
		panic(err)
	}
	if err := os.CopyFS(programs, os.DirFS(filepath.Join("testdata", "programs"))); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m,
		// Bubble Tea's reader of keys waits for ever if a key comes while the program ends: its
		// sendEvents looks at no context.
		goleak.IgnoreTopFunction("github.com/charmbracelet/ultraviolet.(*TerminalReader).sendEvents"),
		// The clock of chroma's regular expressions keeps running for a while.
		goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"),
		goleak.Cleanup(func(code int) {
			if err := os.RemoveAll(programs); err != nil {
				panic(err)
			}
			os.Exit(code)
		}))
}

// driver stands in for the terminal and for Bubble Tea, for one model: it sends the model
// messages and runs its commands. It drops ticks, so that the clock stands still.
type driver struct {
	t     testing.TB
	m     *Model
	inbox chan tea.Msg
	cmds  []tea.Cmd // commands that have not begun
	busy  int       // commands that have begun and are not over
	now   time.Time
	quit  bool
	asked []tea.Msg // what the model asked the terminal for: the clipboard, a redraw

	kept    map[string]any // the settings that were saved
	refuses error          // the error of saving settings
}

// done is the message of a finished command.
type done struct{ msg tea.Msg }

// patience is how long a test waits before it fails.
const patience = 60 * time.Second

// drive opens a screen of a size on a session, and waits for the first stop.
func drive(t testing.TB, w, h int, s session.Config, more ...func(*Config)) *driver {
	t.Helper()
	d := start(t, w, h, s, more...)
	d.settle()
	if d.m.failed != nil {
		t.Fatal(d.m.failed)
	}
	return d
}

// start does what drive does, but does not wait until the program has started.
func start(t testing.TB, w, h int, s session.Config, more ...func(*Config)) *driver {
	t.Helper()
	d := &driver{t: t, inbox: make(chan tea.Msg, 1024), now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)}
	c := Config{Session: s, Program: filepath.Base(s.Options.Script), Keys: defaultKeys(t), Theme: npdbTheme, Now: func() time.Time { return d.now }, Settings: d.settings()}
	for _, f := range more {
		f(&c)
	}
	m, err := New(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	d.m = m
	m.engine.send = func(msg tea.Msg) { d.inbox <- msg }
	t.Cleanup(func() {
		if err := m.engine.close(); err != nil {
			t.Error(err)
		}
	})
	d.plan(m.Init())
	d.tell(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
	d.tell(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

func npdbTheme(dark bool) (*themes.Theme, error) { return themes.Load(themes.Default, dark) }

func defaultKeys(t testing.TB) *keys.Map {
	t.Helper()
	m, err := keys.New("", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tell sends the model a message.
func (d *driver) tell(msg tea.Msg) {
	_, cmd := d.m.Update(msg)
	d.plan(cmd)
}

// plan makes the next settle run a command, unless it is a tick.
func (d *driver) plan(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	if strings.Contains(name, "tui.tick") || strings.Contains(name, ".Tick.") {
		return
	}
	d.cmds = append(d.cmds, cmd)
}

// take handles the result of a command, or a message of the engine.
func (d *driver) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case done:
		d.busy--
		d.take(msg.msg)
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.plan(cmd)
		}
	case tea.QuitMsg:
		d.quit = true
	default:
		if strings.HasPrefix(reflect.TypeOf(msg).String(), "tea.") {
			d.asked = append(d.asked, msg)
			return
		}
		d.tell(msg)
	}
}

// settle runs commands until none is left.
func (d *driver) settle() {
	d.t.Helper()
	d.until(func() bool { return d.busy == 0 && len(d.cmds) == 0 && len(d.inbox) == 0 })
}

// until runs commands until a condition is true.
func (d *driver) until(holds func() bool) {
	d.t.Helper()
	for !holds() {
		for _, cmd := range d.cmds {
			d.busy++
			go func() { d.inbox <- done{cmd()} }()
		}
		d.cmds = nil
		select {
		case msg := <-d.inbox:
			d.take(msg)
		case <-time.After(patience):
			d.t.Fatalf("nothing comes any more; the screen is\n%s", d.text())
		}
	}
}

// press presses keys by their names in package keys ("s", "enter", "ctrl+c"). After each
// key it waits until all commands are finished.
func (d *driver) press(names ...string) {
	d.t.Helper()
	for _, name := range names {
		d.tell(key(name))
		d.settle()
	}
}

// write types a text, one key for each character.
func (d *driver) write(text string) {
	d.t.Helper()
	for _, r := range text {
		d.tell(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.settle()
}

// command runs a line on the command line.
func (d *driver) command(text string) {
	d.t.Helper()
	d.press(":")
	d.write(text)
	d.press("enter")
}

// click clicks on a cell.
func (d *driver) click(x, y int) {
	d.t.Helper()
	d.tell(click(x, y))
	d.settle()
}

func click(x, y int) tea.MouseClickMsg { return tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft} }

func (d *driver) resize(w, h int) {
	d.t.Helper()
	d.tell(tea.WindowSizeMsg{Width: w, Height: h})
	if d.m.screen.Running == nil || d.busy == 0 {
		d.settle()
	}
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "space": tea.KeySpace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp,
	"f2": tea.KeyF2, "f3": tea.KeyF3, "f5": tea.KeyF5, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "home": tea.KeyHome, "end": tea.KeyEnd,
}

// key returns the press of a key as a terminal reports it.
func key(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	for {
		rest, found := strings.CutPrefix(name, "ctrl+")
		if found {
			k.Mod |= tea.ModCtrl
		} else if rest, found = strings.CutPrefix(name, "shift+"); found {
			k.Mod |= tea.ModShift
		} else if rest, found = strings.CutPrefix(name, "alt+"); found {
			k.Mod |= tea.ModAlt
		}
		if !found {
			break
		}
		name = rest
	}
	if code, ok := named[name]; ok {
		k.Code = code
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod == 0 {
		k.Text = name
	}
	return k
}

// text returns the screen without its colors.
func (d *driver) text() string { return ansi.Strip(d.screen()) }

// screen returns the screen. The text is the same on every machine.
func (d *driver) screen() string {
	return strings.ReplaceAll(d.m.View().Content, programs, shownPrograms)
}

// shows fails unless the screen shows a text.
func (d *driver) shows(text string) {
	d.t.Helper()
	if !strings.Contains(d.text(), text) {
		d.t.Fatalf("%q is not on the screen:\n%s", text, d.text())
	}
}

// showsNot fails if the screen shows a text.
func (d *driver) showsNot(text string) {
	d.t.Helper()
	if strings.Contains(d.text(), text) {
		d.t.Fatalf("%q is on the screen:\n%s", text, d.text())
	}
}

// here returns the line of the state on the screen.
func (d *driver) here() int {
	d.t.Helper()
	if d.m.screen.View == nil || d.m.screen.View.State == nil {
		return 0
	}
	return d.m.screen.View.State.Line
}

// cpython returns a session of a program of testdata/programs under CPython.
func cpython(t testing.TB, program string) session.Config {
	t.Helper()
	return cpythonOf(t, programPath(program))
}

func programPath(program string) string {
	return filepath.Join(programs, program)
}

func cpythonOf(t testing.TB, path string) session.Config {
	t.Helper()
	interpreter := pythons.Any(t) // the interpreter itself: a launcher such as pyenv's takes longer than a program
	// With this variable, tracebacks are the same in every version.
	env := append(os.Environ(), "PYTHONNODEBUGRANGES=1")
	return session.Config{
		Options: trace.Options{Script: path, Dir: filepath.Dir(path), Python: interpreter, Env: env},
		Start:   session.StartTrace, StateDir: t.TempDir(),
	}
}

// replayed returns a session of a finished run, without a process.
func replayed(t testing.TB, r *run) session.Config {
	return session.Config{Options: trace.Options{Script: r.path}, Start: r.start, StateDir: t.TempDir()}
}
