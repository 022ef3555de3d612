package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/tui/keys"
)

// TestScreenDocs checks that the picture and the keys of docs/screen.md are those of the
// screen.
func TestScreenDocs(t *testing.T) {
	path := filepath.Join("..", "docs", "screen.md")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := between(t, string(raw), "picture", "```\n"+docsPicture(t)+"```\n")
	page = between(t, page, "keys", docsKeys(t))
	if page == string(raw) {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Fatalf("%s is not what the screen shows: run go test ./tui -run TestScreenDocs -update, and look at it", path)
	}
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil { //nolint:gosec // a page for everyone
		t.Fatal(err)
	}
}

// between replaces the text between the two comments of a name in a page.
func between(t *testing.T, page, name, text string) string {
	t.Helper()
	begin, end := "<!-- "+name+": made by go test ./tui -run TestScreenDocs -update -->\n", "<!-- end of "+name+" -->\n"
	before, rest, begins := strings.Cut(page, begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("docs/screen.md lacks the marks of its %s", name)
	}
	return before + begin + text + end + after
}

// docsPicture returns the screen at the turning point of README's story.
func docsPicture(t *testing.T) string {
	t.Helper()
	example, err := filepath.Abs(filepath.Join("..", "examples", "bank.py"))
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, 110, 30, cpythonOf(t, example))
	d.command("b audit")
	d.press("c")
	d.command("tbreak 41, sum(balances.values()) == 600")
	d.press("C", "n", "5", "1") // the output would show the program's path
	var b strings.Builder
	for _, row := range strings.Split(d.text(), "\n") {
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return b.String()
}

// docsKeys returns one line of keys for each group of actions.
func docsKeys(t *testing.T) string {
	t.Helper()
	m := defaultKeys(t)
	var b strings.Builder
	b.WriteString("| | |\n|---|---|\n")
	var group string
	var cells []string
	flush := func() {
		if len(cells) > 0 {
			fmt.Fprintf(&b, "| %s | %s |\n", group, strings.Join(cells, ", "))
		}
		cells = nil
	}
	for _, a := range keys.Actions() {
		if a.Group != group {
			flush()
			group = a.Group
		}
		if k := m.Keys(a.Name); len(k) > 0 && !a.Context.TakesText() {
			cells = append(cells, "`"+k[0]+"` "+a.Name)
		}
	}
	flush()
	return b.String()
}
