//go:build unix

package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
)

// TestRC checks that the commands of .pdbrc run at the first stop, after a line that names
// the file; an unreadable file is reported.
func TestRC(t *testing.T) {
	s := openWith(t, newFake(t), command.Config{RC: []command.RC{
		{Path: "/home/me/.pdbrc", Commands: []string{"alias ss s 2", "ss", "p i"}},
		{Path: "/src/a\nb/.pdbrc", Commands: []string{"p i"}},
		{Path: "/other/.pdbrc", Err: os.ErrPermission},
	}})
	a := s.First(context.Background())
	if text, _ := a.Text(session.Said); s.Position().Event != 2 || text != "0\n0" || a.Command != nil || a.Seq != 0 {
		t.Errorf("at event %d, said %q, %+v", s.Position().Event, text, a)
	}
	notice, _ := a.Text(session.Notice)
	for _, want := range []string{"3 commands of /home/me/.pdbrc", `1 command of /src/a\x0ab/.pdbrc`, "--no-rc", "No commands are run from .pdbrc: permission denied"} {
		if !strings.Contains(notice, want) {
			t.Errorf("%q lacks %q", notice, want)
		}
	}
	if run(s, ""); s.Position().Event != 2 {
		t.Error("an empty line repeats a line of .pdbrc")
	}
}

// TestReadRC checks that .pdbrc is read in the home folder and then in the current one,
// and that a pipe or device there is refused and not waited for.
func TestReadRC(t *testing.T) {
	home, work := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Chdir(work)
	here := filepath.Join(work, ".pdbrc")
	if got := command.ReadRC(); len(got) != 0 {
		t.Errorf("without one: %+v", got)
	}
	write := func(path, text string) func() error {
		return func() error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	if err := write(filepath.Join(home, ".pdbrc"), "# a comment\n\n  alias x p 1 \r\ns")(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		put  func() error
		want string
	}{
		"a file":      {write(here, "p i\n"), "p i"},
		"comments":    {write(here, "# nothing\n\n"), ""},
		"a pipe":      {func() error { return syscall.Mkfifo(here, 0o600) }, "is a named pipe, not a file"},
		"a device":    {func() error { return os.Symlink("/dev/zero", here) }, "is a device, not a file"},
		"a folder":    {func() error { return os.Mkdir(here, 0o700) }, "is a folder, not a file"},
		"many lines":  {write(here, strings.Repeat("s\n", 20_000)), "has 20,000 commands, more than 10,000"},
		"a long line": {write(here, strings.Repeat("s", 2_000_000)), "is larger than 1.0 MiB"},
		"the same":    {func() error { return os.Symlink(filepath.Join(home, ".pdbrc"), here) }, ""},
	} {
		if err := c.put(); err != nil {
			t.Fatal(err)
		}
		got := command.ReadRC()
		if len(got) == 0 || strings.Join(got[0].Commands, "|") != "alias x p 1|s" || (len(got) == 1) != (c.want == "") {
			t.Fatalf("%s: %+v", name, got)
		}
		if len(got) == 2 {
			said := strings.Join(got[1].Commands, "|")
			if got[1].Err != nil {
				said += got[1].Err.Error()
			}
			if !strings.Contains(said, c.want) || filepath.Base(got[1].Path) != ".pdbrc" || !filepath.IsAbs(got[1].Path) {
				t.Errorf("%s: %+v, want %q", name, got[1], c.want)
			}
		}
		if err := os.Remove(here); err != nil {
			t.Fatal(err)
		}
	}
}
