package tui

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestEditorCommand checks that $VISUAL comes before $EDITOR and both before vi, and that
// each editor gets the line in its own syntax.
func TestEditorCommand(t *testing.T) {
	for _, c := range []struct {
		visual, editor string
		want           []string
	}{
		{"", "", []string{"vi", "+12", "/a b.py"}},
		{"", "nano", []string{"nano", "+12", "/a b.py"}},
		{"vim -p", "nano", []string{"vim", "-p", "+12", "/a b.py"}},
		{" ", "'/opt/my editor/emacs' -nw", []string{"/opt/my editor/emacs", "-nw", "+12", "/a b.py"}},
		{"code", "", []string{"code", "--wait", "--goto", "/a b.py:12"}},
		{"/usr/bin/codium --wait", "", []string{"/usr/bin/codium", "--wait", "--goto", "/a b.py:12"}},
		{"Code.cmd", "", []string{"Code.cmd", "--wait", "--goto", "/a b.py:12"}},
		{"hx", "", []string{"hx", "/a b.py:12"}},
		{"subl -w", "", []string{"subl", "-w", "/a b.py:12"}},
		{"kate", "", []string{"kate", "--line", "12", "/a b.py"}},
		{"xdg-open", "", []string{"xdg-open", "/a b.py"}},
		{"vim '", "", nil},
	} {
		env := func(name string) string { return map[string]string{"VISUAL": c.visual, "EDITOR": c.editor}[name] }
		got, err := editorCommand(env, "/a b.py", 12)
		if !slices.Equal(got, c.want) || (err != nil) != (c.want == nil) {
			t.Errorf("VISUAL=%q EDITOR=%q: %q, %v, want %q", c.visual, c.editor, got, err, c.want)
		}
	}
}

// withEditor makes a script the editor. The script gets the line as $1 and the file as $2.
func withEditor(t *testing.T, script string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	t.Setenv("VISUAL", path)
}

// edit presses the editor's key and runs the editor, as Bubble Tea does.
func (d *driver) edit() {
	d.t.Helper()
	path, line := d.m.source.Place()
	if d.m.openEditor() == nil {
		return
	}
	argv, err := editorCommand(os.Getenv, path, line)
	if err != nil {
		d.t.Fatal(err)
	}
	command := d.m.editor(argv)
	out := &bytes.Buffer{}
	command.SetStdin(strings.NewReader(""))
	command.SetStdout(out)
	command.SetStderr(out)
	d.tell(editedMsg{path, line, argv[0], command.Run()})
	d.settle()
	if !slices.ContainsFunc(d.asked, func(msg tea.Msg) bool { return msg == tea.ClearScreen() }) {
		d.t.Error("the screen is not drawn anew")
	}
}

// TestEditWhatRuns checks that a file that has already run keeps its old text, with a note
// that it was edited, until the program is restarted. The cursor does not move.
func TestEditWhatRuns(t *testing.T) {
	c := withModules(t)
	d := drive(t, 120, 36, c)
	withEditor(t, `test "$1" = +7 && sed -i 's/late(2)/late(22)/' "$2"`)
	d.press("j", "j", "j", "j", "j", "j")
	d.edit()
	d.shows("main.py, edited since it began to run")
	d.shows("main.py was edited. The source shows what runs; Ctrl-r runs it as it is now.")
	d.shows("print(late(2))")
	if _, line := d.m.source.Place(); line != 7 {
		t.Errorf("the cursor is on line %d", line)
	}
	d.press("n")
	d.shows("edited since it began to run")
	d.press("ctrl+r", "y")
	d.shows("print(late(22))")
	d.showsNot("edited since")
}

// TestEditWhatIsPending checks that a file that has not run yet shows its edited text. Its
// breakpoints move with their lines, and the program stops at the new lines.
func TestEditWhatIsPending(t *testing.T) {
	d := drive(t, 120, 36, withModules(t))
	d.press("m")
	d.write("later")
	d.press("enter", "j", "j", "j", "b")
	withEditor(t, `test "$1" = +4 && sed -i '1s/^/# a new line\n/' "$2"`)
	d.edit()
	d.shows("# a new line")
	d.shows("Breakpoint 1 moved with its line from")
	d.showsNot("edited since")
	d.press("c")
	if s := d.m.screen.View.State; s == nil || s.Function != "work" || s.Line != 5 || !strings.Contains(s.Source, "product = ") {
		t.Fatalf("stopped at %+v", s)
	}
	d.shows("# a new line")
}

// TestEditorFails checks the messages for an editor that fails or does not exist, and for
// source that is not a file.
func TestEditorFails(t *testing.T) {
	d := drive(t, 100, 30, withModules(t))
	withEditor(t, "exit 3")
	d.edit()
	d.shows("failed: exit status 3.")
	t.Setenv("VISUAL", "no-such-editor-here")
	d.edit()
	d.shows("The editor no-such-editor-here failed: ")
	t.Setenv("VISUAL", "vim '")
	d.press("E")
	d.shows("$VISUAL or $EDITOR cannot be read: vim '")
	path, _ := d.m.source.Place()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", "vim")
	d.press("E")
	d.shows("There is no file to edit here.")
}
