package tui

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/shlex"
)

// openEditor opens the user's editor on the terminal at the line under the cursor.
func (m *Model) openEditor() tea.Cmd {
	if m.config.Join != nil {
		m.complain(errElsewhere)
		return nil
	}
	path, line := m.source.Place()
	if info, err := os.Stat(path); path == "" || err != nil || !info.Mode().IsRegular() {
		m.screen.Flash = "There is no file to edit here."
		return nil
	}
	argv, err := editorCommand(os.Getenv, path, line)
	if err != nil {
		m.complain(err)
		return nil
	}
	return tea.Exec(m.editor(argv), func(err error) tea.Msg { return editedMsg{path, line, argv[0], err} })
}

// editor returns an editor that is killed when npdb exits.
func (m *Model) editor(argv []string) *editing {
	return &editing{exec.CommandContext(m.engine.ctx, argv[0], argv[1:]...), m.engine.ctx}
}

// editorCommand returns the command that opens a line of a file in the user's editor.
func editorCommand(env func(string) string, path string, line int) ([]string, error) {
	text := cmp.Or(strings.TrimSpace(env("VISUAL")), strings.TrimSpace(env("EDITOR")), "vi")
	argv, err := shlex.Split(text)
	if err != nil || len(argv) == 0 {
		return nil, fmt.Errorf("$VISUAL or $EDITOR cannot be read: %s", text)
	}
	n := strconv.Itoa(line)
	at := path + ":" + n
	name := strings.ToLower(filepath.Base(argv[0]))
	for _, ending := range []string{".exe", ".cmd", ".bat", ".sh"} {
		name = strings.TrimSuffix(name, ending)
	}
	switch name {
	case "code", "code-insiders", "code-oss", "codium", "vscodium", "cursor", "windsurf", "positron":
		if !strings.Contains(" "+strings.Join(argv[1:], " ")+" ", " --wait ") {
			argv = append(argv, "--wait") // else npdb would not notice when editing ends
		}
		return append(argv, "--goto", at), nil
	case "hx", "helix", "subl", "sublime_text", "zed", "zeditor", "atom", "pulsar", "lapce":
		return append(argv, at), nil
	case "pycharm", "charm", "idea", "kate", "kwrite", "mate", "fleet":
		return append(argv, "--line", n, path), nil
	case "open", "xdg-open", "notepad":
		return append(argv, path), nil
	}
	return append(argv, "+"+n, path), nil
}

// editing is an editor that runs on the terminal.
type editing struct {
	command *exec.Cmd
	ctx     context.Context
}

var _ tea.ExecCommand = (*editing)(nil)

// SetStdin sets the editor's standard input.
func (e *editing) SetStdin(r io.Reader) { e.command.Stdin = r }

// SetStdout sets the editor's standard output.
func (e *editing) SetStdout(w io.Writer) { e.command.Stdout = w }

// SetStderr sets the editor's standard error.
func (e *editing) SetStderr(w io.Writer) { e.command.Stderr = w }

// Run runs the editor, after it has given npdb's renderer time to stop.
func (e *editing) Run() error {
	select {
	case <-time.After(rendererEnds):
	case <-e.ctx.Done():
	}
	return e.command.Run()
}

// editedMsg reports that the editor has exited.
type editedMsg struct {
	path   string
	line   int
	editor string
	err    error
}

// edited reads the edited file again and shows it.
func (m *Model) edited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		m.screen.Flash = fmt.Sprintf("The editor %s failed: %v. Set $VISUAL or $EDITOR to use another.", msg.editor, msg.err)
		return tea.ClearScreen
	}
	return tea.Batch(tea.ClearScreen, m.engine.work("", func() tea.Msg {
		text, words, err := m.engine.session.Load().Reread(m.engine.ctx, msg.path)
		text.Line = msg.line
		return foundMsg{text, words, err}
	}))
}
