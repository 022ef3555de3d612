package keys

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/keys.md")

const referencePath = "../../docs/keys.md"

// TestReference checks that docs/keys.md agrees with the table of actions.
func TestReference(t *testing.T) {
	want := reference(t)
	if *update {
		if err := os.WriteFile(referencePath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(referencePath)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/keys.md is not what tui/keys says: run go test ./tui/keys -run TestReference -update")
	}
}

const introduction = `# Keys

Small letters move forwards, capitals make the same move backwards. Some keys have a
different meaning in one pane; the table shows where. While you type text (the
command line, a search, the program's input, the path of a program, the filters of
the help and of the themes) letters are text. In the first three of these the F-keys
still move.

This page is made from the table in tui/keys/table.go: change it there and run
` + "`go test ./tui/keys -run TestReference -update`" + `.

## Your own keys

In the configuration, list the keys of an action under its name:

` + "```toml" + `
[keys]
next = ["n", "f10", "space"]
toggle-breakpoint = ["b", "ctrl+b"]
page-up = ["pgup"]   # gives ctrl+b up
unzoom = []          # bound to nothing
` + "```" + `

They replace the default keys of the action. If two actions have the same key in the
same place, npdb reports an error that names both. The error for an unknown name
suggests a similar one.

A key is a character (` + "`n`, `N`, `?`" + `), one of ` + "`space enter tab esc backspace\ninsert delete home end pgup pgdown up down left right f1`…`f24`" + `, or one of these
after ` + "`ctrl+`, `alt+`, `shift+`" + `, ` + "`meta+`, `hyper+` or `super+`: `ctrl+f`, `alt+s`," + `
` + "`shift+f10`. `N` and `shift+n`" + ` are the same. So are keys that many terminals
report alike: ` + "`ctrl+i` and `tab`, `ctrl+m` and `enter`, `ctrl+[` and `esc`, `ctrl+/`\nand `ctrl+_`, `f13` and `shift+f1`" + ` (up to ` + "`f24`" + `).

The profile ` + "`pudb`" + ` has PuDB's keys for panes (V S B C), and goes backwards with
Alt. Terminals with the kitty protocol report the position of a key. There, on a
keyboard that is not Latin, the key at the position of ` + "`n`" + ` counts as ` + "`n`" + `.
`

func reference(t *testing.T) string {
	t.Helper()
	standard, pudb := mustNew(t, "", nil), mustNew(t, PudbProfile, nil)
	var b strings.Builder
	b.WriteString(introduction)
	for _, group := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| keys | action | where | what it does | pudb |\n|---|---|---|---|---|\n", group)
		for _, a := range actions {
			if a.Group != group {
				continue
			}
			other := ""
			if p := code(pudb.Keys(a.Name)); p != code(standard.Keys(a.Name)) {
				other = p
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", code(standard.Keys(a.Name)), a.Name, a.Context, a.Help, other)
		}
	}
	return b.String()
}

func code(keys []string) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = "`" + k + "`"
	}
	return strings.Join(parts, " ")
}
