package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// story is a debugging session in README.
type story struct {
	program  string // the example, relative to the repository
	commands []string
	answers  string // npdb's output, without prompts and typed lines
}

// readStory returns the session in README's fenced console block that starts npdb.
func readStory(t *testing.T, readme string) story {
	t.Helper()
	block := regexp.MustCompile("(?s)```console\n\\$ go run ./cmd/npdb --plain (\\S+)\n(.*?)```\n").FindStringSubmatch(readme)
	if block == nil {
		t.Fatal("README has no console block that starts with `$ go run ./cmd/npdb --plain PROGRAM`")
	}
	told := story{program: block[1]}
	var answers strings.Builder
	for line := range strings.Lines(block[2]) {
		if command, typed := strings.CutPrefix(line, "(npdb) "); typed {
			told.commands = append(told.commands, strings.TrimSuffix(command, "\n"))
			continue
		}
		answers.WriteString(line)
	}
	told.answers = answers.String()
	return told
}

// TestReadmeStory plays README's debugging session with the real npdb and checks that the
// output is identical.
func TestReadmeStory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("recording needs Unix")
	}
	python := pythons.Any(t)
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	told := readStory(t, string(readme))
	if len(told.commands) != 6 {
		t.Errorf("the story has %d commands, README promises six: %q", len(told.commands), told.commands)
	}
	if !backwards(told.commands) {
		t.Errorf("no command of the story goes backwards: %q", told.commands)
	}

	home, binary := t.TempDir(), filepath.Join(t.TempDir(), "npdb")
	build := exec.Command("go", "build", "-o", binary, ".")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	npdb := exec.Command(binary, "--plain", "--python", python, told.program)
	npdb.Dir = root
	npdb.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home)
	npdb.Stdin = strings.NewReader(strings.Join(told.commands, "\n") + "\nq\n")
	var stderr bytes.Buffer
	npdb.Stderr = &stderr
	output, err := npdb.Output()
	if err != nil {
		t.Fatalf("npdb: %v\n%s", err, stderr.Bytes())
	}
	got := strings.ReplaceAll(string(output), root+string(filepath.Separator), "")
	if got != told.answers {
		t.Errorf("npdb answers\n%s\nREADME says\n%s", got, told.answers)
	}
}

// backwards reports whether one of the commands is an inverse move.
func backwards(commands []string) bool {
	for _, command := range commands {
		switch name, _, _ := strings.Cut(command, " "); name {
		case "rs", "rn", "rc", "rf", "reverse-until", "rewind", "goto":
			return true
		}
	}
	return false
}
