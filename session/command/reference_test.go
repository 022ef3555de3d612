package command

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/commands.md")

const referencePath = "../../docs/commands.md"

// TestReference compares the reference page with the table.
func TestReference(t *testing.T) {
	want := Reference()
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
		t.Error("docs/commands.md is not what the table of commands says: run go test ./session/command -run TestReference -update")
	}
}

// TestTable checks that the table meets the needs of dispatch and help.
func TestTable(t *testing.T) {
	seen := map[string]string{}
	for _, c := range commands() {
		for _, n := range append([]string{c.name}, c.aliases...) {
			if other, twice := seen[n]; twice {
				t.Errorf("%q names both %s and %s", n, other, c.name)
			}
			seen[n] = c.name
		}
		if !slices.Contains(groups, c.group) {
			t.Errorf("%s is in no group that help shows", c.name)
		}
		does := 0
		for _, way := range []bool{c.parse != nil, c.run != nil, c.name == "!"} {
			if way {
				does++
			}
		}
		if c.help == "" || does != 1 {
			t.Errorf("%s has no help, or not one way to be run", c.name)
		}
	}
	// pdb's own commands, and the inverses.
	for _, n := range strings.Fields(`h help w where bt d down u up b break tbreak cl clear disable enable ignore
		condition commands s step n next unt until r return c cont continue j jump l list ll longlist a args p pp
		whatis source display undisplay interact alias unalias run restart q quit exit rv retval exceptions
		rs rn rc rf reverse-step reverse-next reverse-continue reverse-finish reverse-until goto rewind info output`) {
		if seen[n] == "" {
			t.Errorf("there is no command %q", n)
		}
	}
}
