package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// terminal is an emulated terminal that runs npdb. Bubble Tea itself reads the keys and
// draws.
type terminal struct {
	t     testing.TB
	model *Model // the model as of the latest message
	over  chan error
	sum   *Summary

	mu    sync.Mutex
	vt    *vt.Emulator
	raw   bytes.Buffer // all output to the terminal
	modes map[ansi.Mode]bool
	drawn chan struct{} // signals that there is new output
}

// show runs npdb's screen on an emulated terminal, and passes each message to hear.
func show(ctx context.Context, t testing.TB, w, h int, s session.Config, hear ...func(tea.Msg)) *terminal {
	t.Helper()
	return showConfig(ctx, t, w, h, Config{Session: s, Program: s.Options.Script, Keys: defaultKeys(t), Theme: npdbTheme}, hear...)
}

// showConfig runs npdb's screen as show does, with a whole configuration.
func showConfig(ctx context.Context, t testing.TB, w, h int, c Config, hear ...func(tea.Msg)) *terminal {
	t.Helper()
	m := &terminal{t: t, vt: vt.NewEmulator(w, h), modes: map[ansi.Mode]bool{}, over: make(chan error, 1), drawn: make(chan struct{}, 1)}
	_, _ = m.vt.WriteString("\x1b[20h") // a line feed also returns the carriage, as on a tty
	m.vt.SetCallbacks(vt.Callbacks{
		EnableMode:  func(mode ansi.Mode) { m.modes[mode] = true },
		DisableMode: func(mode ansi.Mode) { m.modes[mode] = false },
	})
	ctx, cancel := context.WithCancel(ctx)
	t.Cleanup(func() {
		cancel()
		// This ends the goroutine that reads from the terminal. Closing the terminal
		// itself would race with it.
		if err := m.vt.InputPipe().(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	})
	in := newReplies()
	go in.drain(m.vt)
	ready := make(chan struct{})
	var once sync.Once
	go func() {
		sum, err := Run(ctx, c, tea.WithInput(in), tea.WithOutput(m), tea.WithWindowSize(w, h), tea.WithColorProfile(colorprofile.TrueColor),
			tea.WithEnvironment([]string{"TERM=xterm-256color"}),
			tea.WithFilter(func(model tea.Model, msg tea.Msg) tea.Msg {
				once.Do(func() { m.model = model.(*Model); close(ready) })
				for _, f := range hear {
					f(msg)
				}
				return msg
			}))
		m.sum = sum
		m.over <- err
	}()
	<-ready
	return m
}

// replies passes on what a terminal sends: its keys, and its answers to queries. A
// terminal that answers must never wait for a program that does not read any more.
type replies struct {
	mu   sync.Mutex
	come *sync.Cond
	text []byte
	over bool
}

func newReplies() *replies {
	r := &replies{}
	r.come = sync.NewCond(&r.mu)
	return r
}

// drain reads what a terminal sends until it is closed.
func (r *replies) drain(from io.Reader) {
	buf := make([]byte, 1024)
	for {
		n, err := from.Read(buf)
		r.mu.Lock()
		r.text = append(r.text, buf[:n]...)
		r.over = err != nil
		r.come.Broadcast()
		r.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (r *replies) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.text) == 0 {
		if r.over {
			return 0, io.EOF
		}
		r.come.Wait()
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	return n, nil
}

// Write draws the output of Bubble Tea on the terminal.
func (m *terminal) Write(p []byte) (int, error) {
	m.mu.Lock()
	m.raw.Write(p)
	n, err := m.vt.Write(p)
	m.mu.Unlock()
	select {
	case m.drawn <- struct{}{}:
	default:
	}
	return n, err
}

// text returns the text on the terminal.
func (m *terminal) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.vt.String()
}

// until waits until the terminal shows a text.
func (m *terminal) until(text string) {
	m.t.Helper()
	m.untilTrue(text, func(shown string) bool { return strings.Contains(shown, text) })
}

func (m *terminal) untilTrue(what string, holds func(shown string) bool) {
	m.t.Helper()
	late := time.After(patience)
	for !holds(m.text()) {
		select {
		case <-m.drawn:
		case <-late:
			m.t.Fatalf("%q did not come; the terminal shows\n%s", what, m.text())
		}
	}
}

// press types text.
func (m *terminal) press(text string) { m.vt.SendText(text) }

func (m *terminal) resize(w, h int) {
	m.mu.Lock()
	m.vt.Resize(w, h)
	m.mu.Unlock()
	m.model.engine.send(tea.WindowSizeMsg{Width: w, Height: h})
}

// quit waits until npdb has ended.
func (m *terminal) quit() error {
	m.t.Helper()
	select {
	case err := <-m.over:
		return err
	case <-time.After(patience):
		m.t.Fatalf("it does not end; the terminal shows\n%s", m.text())
		return nil
	}
}

// alternate reports whether npdb draws on the alternate screen. It asks the terminal,
// because the model belongs to its own goroutine.
func (m *terminal) alternate() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.vt.IsAltScreen()
}

// whole fails unless the terminal is in the state that it had before npdb.
func (m *terminal) whole() {
	m.t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.vt.IsAltScreen() {
		m.t.Error("the alternate screen is left on")
	}
	if visible, said := m.modes[ansi.ModeTextCursorEnable]; said && !visible {
		m.t.Error("the cursor is left hidden")
	}
	for _, mode := range []ansi.Mode{
		ansi.ModeMouseNormal, ansi.ModeMouseButtonEvent, ansi.ModeMouseAnyEvent, ansi.ModeMouseExtSgr, ansi.ModeBracketedPaste, ansi.ModeFocusEvent,
	} {
		if m.modes[mode] {
			m.t.Errorf("mode %v is left on", mode)
		}
	}
	if raw := m.raw.String(); strings.Count(raw, "\x1b[>4;") > 0 && !strings.Contains(raw, "\x1b[>4m") && !strings.Contains(raw, "\x1b[>4;0m") {
		m.t.Error("the keyboard's mode is left changed")
	}
}

func TestProgram(t *testing.T) {
	t.Parallel()
	m := show(t.Context(), t, 100, 30, cpython(t, "shop.py"))
	m.until("<module>:1")
	if !m.alternate() {
		t.Error("it is not on the alternate screen")
	}
	m.press("s")
	m.until("<module>:3")
	m.press("nnnn")
	m.until("<module>:27")
	m.resize(80, 24)
	m.until("27  def main():")
	m.untilTrue("a footer on row 24", func(shown string) bool {
		rows := strings.Split(shown, "\n")
		return len(rows) >= 24 && strings.Contains(rows[23], "? help")
	})
	m.press("q")
	if err := m.quit(); err != nil {
		t.Error(err)
	}
	m.whole()
	if m.sum == nil || m.sum.Shown != 6 {
		t.Errorf("the summary is %+v", m.sum)
	}
}

// TestTerminalIsWhole checks that the terminal is restored, whatever ends npdb.
func TestTerminalIsWhole(t *testing.T) {
	t.Run("a signal", func(t *testing.T) {
		t.Parallel()
		ctx, end := context.WithCancel(t.Context())
		m := show(ctx, t, 80, 24, cpython(t, "shop.py"))
		m.until("<module>:1")
		end()
		if err := m.quit(); err != nil {
			t.Error(err)
		}
		m.whole()
	})
	t.Run("a program that does not start", func(t *testing.T) {
		t.Parallel()
		s := replayed(t, oddRun())
		s.Start = func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
			return nil, trace.Landing{}, &trace.StartError{Kind: trace.StartFailed, Message: "no such file"}
		}
		m := show(t.Context(), t, 80, 24, s)
		if err := m.quit(); err == nil || !strings.Contains(err.Error(), "no such file") {
			t.Errorf("the error is %v", err)
		}
		m.whole()
	})
	t.Run("quit while the program runs", func(t *testing.T) {
		t.Parallel()
		m := show(t.Context(), t, 80, 24, cpython(t, "busy.py"))
		m.until("<module>:1")
		m.press("c")
		m.until("continue")
		m.press("q")
		if err := m.quit(); err != nil {
			t.Error(err)
		}
		m.whole()
	})
	t.Run("a panic", func(t *testing.T) {
		t.Parallel()
		m := show(t.Context(), t, 80, 24, replayed(t, oddRun()), func(msg tea.Msg) {
			if k, ok := msg.(tea.KeyPressMsg); ok && k.Text == "!" {
				panic("a fault of npdb's")
			}
		})
		m.until("<module>:11")
		m.press("!")
		if err := m.quit(); !errors.Is(err, tea.ErrProgramPanic) {
			t.Errorf("the error is %v", err)
		}
		m.whole()
	})
}
