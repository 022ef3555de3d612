package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience limits how long a scene waits for a text.
const patience = 2 * time.Minute

// screen is an emulated terminal in which npdb runs.
type screen struct {
	mu    sync.Mutex
	vt    *vt.Emulator
	drawn chan struct{} // signals output
}

// play runs a scene. After the keys of each act it calls wait with the index of the act. It stops at an error.
func (s *scene) play(ctx context.Context, root, npdb string, wait func(i int, m *screen) error) error {
	dir, err := s.folder(root)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, npdb, s.args...)
	cmd.Dir = dir
	home := filepath.Join(dir, "home")
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + dir, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		"PYTHONNODEBUGRANGES=1", // makes tracebacks the same in every version
	}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(s.h), Cols: uint16(s.w)}) //nolint:gosec // sizes of the table
	if err != nil {
		return err
	}
	m := &screen{vt: vt.NewEmulator(s.w, s.h), drawn: make(chan struct{}, 1)}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = io.Copy(m, tty) // ends with an error when npdb ends
	}()
	go func() {
		_, _ = io.Copy(tty, m.vt)        // the keys, and the terminal's answers to queries
		_, _ = io.Copy(io.Discard, m.vt) // npdb has ended: no answer may wait for it
	}()
	defer func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		_ = tty.Close()
		<-over
		if in, ok := m.vt.InputPipe().(io.Closer); ok {
			_ = in.Close()
		}
	}()
	for i, a := range s.acts {
		for _, key := range a.keys {
			m.vt.SendText(string(key))
		}
		if err := wait(i, m); err != nil {
			return err
		}
	}
	return nil
}

// frames plays a scene and returns the screen after each act.
func (s *scene) frames(ctx context.Context, root, npdb string) (frames []*frame, err error) {
	err = s.play(ctx, root, npdb, func(i int, m *screen) error {
		err := m.until(fmt.Sprintf("%q", s.acts[i].shows), s.acts[i].holds)
		m.calm()
		frames = append(frames, m.frame())
		return err
	})
	return frames, err
}

// holds reports whether a screen shows all texts of an act.
func (a *act) holds(shown string) bool {
	return !slices.ContainsFunc(a.shows, func(text string) bool { return !strings.Contains(shown, text) })
}

// folder creates the folder of a session, with its files.
func (s *scene) folder(root string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "npdb-scene-"); err != nil {
		return "", err
	}
	example, err := os.ReadFile(filepath.Join(root, "examples", bank))
	if err != nil {
		return "", err
	}
	files := map[string]string{bank: string(example)}
	for name, text := range s.files {
		files[name] = text
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return dir, os.MkdirAll(filepath.Join(dir, "npdb"), 0o700) // the state folder exists, so that npdb does not greet a new user
}

// Write draws npdb's output.
func (m *screen) Write(p []byte) (int, error) {
	m.mu.Lock()
	n, err := m.vt.Write(p)
	m.mu.Unlock()
	select {
	case m.drawn <- struct{}{}:
	default:
	}
	return n, err
}

// until waits until a condition is true for the text of the screen. what describes it.
func (m *screen) until(what string, holds func(shown string) bool) error {
	for late := time.After(patience); ; {
		m.mu.Lock()
		shown := m.vt.String()
		m.mu.Unlock()
		if holds(shown) {
			return nil
		}
		select {
		case <-m.drawn:
		case <-late:
			return fmt.Errorf("the screen does not show %s:\n%s", what, shown)
		}
	}
}

// calm waits until npdb has drawn nothing for a second, because the text that until found may be part of an
// unfinished screen.
func (m *screen) calm() {
	for {
		select {
		case <-m.drawn:
		case <-time.After(time.Second):
			return
		}
	}
}

// volatile matches what differs between two runs of a scene or between versions of Python: the number of events,
// times, the progress of a search, the tour's folder, and an exception's message.
var volatile = regexp.MustCompile(`of [\d,]+ {2,}|\d+(\.\d+)? m?s\b|tried [\d,]+|[\d,]+ of them|(/private)?/tmp/npdb-tour(-\d+)?|(float )?division by ze[^ ;")]*`)

// stable returns the text of a screen without what differs between two runs.
func stable(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Join(strings.Fields(volatile.ReplaceAllString(line, "~")), " ") + "\n")
	}
	return b.String()
}
