//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/internal/pythons"
)

// TestVerifyRunsNothingUnasked infers and verifies pasts of a program that appends to a file whenever its
// module or its function runs, and counts the runs that the file tells of. By the text, without
// verification, and after a declined question, the program never runs. Where the user allows it, it runs in
// the sandbox only, so the file stays as it was; where there is no sandbox, npdb refuses.
func TestVerifyRunsNothingUnasked(t *testing.T) {
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	python := pythons.Any(t)
	home := t.TempDir()
	counter := filepath.Join(home, "runs")
	source := fmt.Sprintf(`def note():
    try:
        with open(%[1]q, "a") as f:
            f.write("run\n")
    except OSError:
        pass  # in the sandbox, which has no such folder


def double(n):
    note()
    return n * 2


note()
`, counter)
	if err := os.WriteFile(filepath.Join(home, "prog.py"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	const moves = "rf\ncandidates\ncandidates +2\n"
	for _, c := range []struct {
		name  string
		flags []string
		typed string
		asks  bool // the sandbox is used, or refused
	}{
		{name: "text", flags: []string{"--verify", "text"}, typed: moves},
		{name: "off", flags: []string{"--verify", "off"}, typed: moves},
		{name: "declined", typed: moves + "verify run\nn\nretry\n"},
		{name: "allowed", typed: "verify run\ny\n" + moves, asks: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"--plain", "--no-rc", "--python", python, "--returned", "6", "--entry", "double(_)"}, c.flags...)
			npdb := npdbCommand(t, home, []string{"PATH=" + os.Getenv("PATH")}, append(args, "prog.py")...)
			npdb.Stdin = strings.NewReader(c.typed + "q\n")
			said, err := npdb.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			if runs, err := os.ReadFile(counter); err == nil {
				t.Errorf("the program ran %d times\n%s", strings.Count(string(runs), "run"), said)
				_ = os.Remove(counter) // for the cases after this one
			}
			text := string(said)
			if !strings.Contains(text, "different past") && !strings.Contains(text, "1 past") {
				t.Errorf("no candidates were shown\n%s", text)
			}
			ran, refused := strings.Contains(text, "leads here, by running it"), strings.Contains(text, "could reach the network or your files")
			if ran && !c.asks || c.asks && ran == refused {
				t.Errorf("it ran: %v, refused: %v\n%s", ran, refused, text)
			}
		})
	}
}
