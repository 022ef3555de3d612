package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/cmd/npdb/cli"
)

// said runs a command of npdb in this process and returns its output.
func said(t *testing.T, words ...string) (string, error) {
	t.Helper()
	stop := cli.NewStopper()
	t.Cleanup(stop.Close)
	cmd := newCommand(stop)
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetArgs(words)
	err := cmd.Execute()
	return out.String(), err
}

// TestCompletion checks that each shell's script calls npdb for the completions, and that
// the error for an unknown shell lists the known ones.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "fish", "powershell", "zsh"} {
		if text, err := said(t, "config", "completion", shell); err != nil || !strings.Contains(text, "__complete") {
			t.Errorf("%s: %v, %q", shell, err, text)
		}
	}
	if _, err := said(t, "config", "completion", "csh"); err == nil {
		t.Error("csh is accepted")
	}
}

// TestFileNamedLikeACommand checks that a command explains how to debug a file with its
// name.
func TestFileNamedLikeACommand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if _, err := said(t, "config", "path"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "config"} {
		if name != "" {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("x = 1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		text, err := said(t, "config", "path")
		if mentions := strings.Contains(text, "npdb ./config debugs"); err != nil || mentions != (name != "") {
			t.Errorf("with a file %q: %v, %q", name, err, text)
		}
	}
}
