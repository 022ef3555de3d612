package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/npdb/npdb/cmd/npdb/cli"
)

// TestManPages checks that each command has a manual page with its flags, and that groff reads the pages without
// a warning.
func TestManPages(t *testing.T) {
	stop := cli.NewStopper()
	t.Cleanup(stop.Close)
	root := newCommand(stop)
	folder := filepath.Join(t.TempDir(), "man1")
	if text, err := said(t, "config", "man", folder); err != nil || text != "" {
		t.Fatalf("%v %s", err, text)
	}
	own, err := os.ReadFile(filepath.Join(folder, "npdb.1"))
	if text, failed := said(t, "config", "man"); err != nil || failed != nil || text != string(own) {
		t.Errorf("%v, %v: without a folder it prints\n%s", err, failed, text)
	}
	groff, missing := exec.LookPath("groff")
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag() // UseLine shows [flags] then
		path := filepath.Join(folder, manName(cmd)+".1")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			return
		}
		page := string(text)
		if cmd != root && !strings.Contains(page, "\n.B "+roff(cmd.UseLine())+"\n") {
			t.Errorf("%s: no usage in\n%s", path, page)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(page, `\fB`+roff("--"+f.Name)+`\fP`) {
				t.Errorf("%s: no --%s", path, f.Name)
			}
		})
		if missing == nil {
			said, err := exec.Command(groff, "-man", "-ww", "-Kutf8", "-Tutf8", "-z", path).CombinedOutput()
			if err != nil || len(said) > 0 {
				t.Errorf("%s: %v %s", path, err, said)
			}
		}
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				check(c)
			}
		}
	}
	check(root)
	if missing != nil {
		t.Skip("all checks passed except reading the pages with groff, which is missing: ", missing)
	}
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		"--a-b":           `\-\-a\-b`,
		`C:\new`:          `C:\enew`,
		".pdbrc\n'x' .y":  "\\&.pdbrc\n\\&'x' .y",
		"plain … \n text": "plain … \n text",
	} {
		if got := roff(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
