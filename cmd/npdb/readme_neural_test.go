//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// readmeAddress is the server's address on the pages; the test uses a different port.
const readmeAddress = "http://127.0.0.1:8000/v1"

// TestNeuralStories runs a page's commands with the real npdb, the first of which starts
// the server and the last the debugger, and plays the session after them.
func TestNeuralStories(t *testing.T) {
	pythons.Any(t)
	for page, commands := range map[string]int{"docs/neural.md": 3, "docs/side-by-side.md": 2} {
		t.Run(page, func(t *testing.T) { playNeural(t, page, commands) })
	}
}

func playNeural(t *testing.T, page string, promised int) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```sh\n(go run ./cmd/npdb serve.*?)```\n.*?```console\n(.*?)```\n").FindSubmatch(readme)
	if block == nil {
		t.Fatal(page + " has no sh block that begins with `go run ./cmd/npdb serve`, with a console block after it")
	}
	var commands [][]string
	for line := range strings.Lines(string(block[1])) {
		line, _, _ = strings.Cut(line, "#")
		arguments, ok := strings.CutPrefix(strings.TrimSpace(line), "go run ./cmd/npdb ")
		if !ok {
			t.Fatalf("no command of npdb: %q", line)
		}
		commands = append(commands, strings.Fields(arguments))
	}
	if len(commands) != promised {
		t.Fatalf("%d commands, %d are promised", len(commands), promised)
	}

	home := t.TempDir()
	npdb := func(arguments []string) *exec.Cmd {
		cmd := npdbCommand(t, home, []string{"PATH=" + os.Getenv("PATH")}, arguments...)
		cmd.Dir = root
		return cmd
	}
	server := npdb(append(commands[0], "--listen", "127.0.0.1:0"))
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		if err := server.Wait(); err != nil {
			t.Error(err)
		}
	}()
	ready, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := ready[strings.LastIndexByte(ready, ' ')+1 : len(ready)-1]
	for _, c := range commands[1:] {
		for i := range c {
			c[i] = strings.ReplaceAll(c[i], readmeAddress, address)
		}
	}
	for _, c := range commands[1 : len(commands)-1] {
		if out, err := npdb(c).CombinedOutput(); err != nil || !strings.Contains(string(out), "predictions work") {
			t.Errorf("%v: %v\n%s", c, err, out)
		}
	}
	var typed, want strings.Builder
	for line := range strings.Lines(string(block[2])) {
		if c, ok := strings.CutPrefix(line, "(npdb) "); ok {
			typed.WriteString(c)
		} else if !strings.HasPrefix(line, "$ ") {
			want.WriteString(line)
		}
	}
	debug := npdb(commands[len(commands)-1])
	debug.Stdin = strings.NewReader(typed.String() + "q\n")
	said, err := debug.Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(string(said), root+string(filepath.Separator), ""); got != want.String() {
		t.Errorf("npdb answers\n%s\n%s says\n%s", got, page, want.String())
	}
}
