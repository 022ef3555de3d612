package themes

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/draw"
)

var update = flag.Bool("update", false, "rewrite the roles in docs/themes.md")

const (
	referencePath = "../docs/themes.md"
	rolesBegin    = "<!-- roles: made from themes/role.go by go test ./themes -run TestReference -update -->\n"
	rolesEnd      = "<!-- end of roles -->\n"
)

// TestReference checks that docs/themes.md lists the roles of roleTable.
func TestReference(t *testing.T) {
	text, err := os.ReadFile(referencePath)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), rolesBegin)
	roles, after, ok2 := strings.Cut(rest, rolesEnd)
	if !ok || !ok2 {
		t.Fatalf("%s lacks a mark", referencePath)
	}
	var want strings.Builder
	want.WriteString("| role | what it is | without color |\n|---|---|---|\n")
	for _, info := range roleTable {
		fmt.Fprintf(&want, "| `%s` | %s | %s |\n", info.name, info.doc, attrWords(info.plain))
	}
	if roles == want.String() {
		return
	}
	if !*update {
		t.Fatalf("the roles in docs/themes.md are not those of themes/role.go: run go test ./themes -run TestReference -update")
	}
	if err := os.WriteFile(referencePath, []byte(before+rolesBegin+want.String()+rolesEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func attrWords(a draw.Attr) string {
	var words []string
	for _, n := range attrNames {
		if a&n.attr != 0 {
			words = append(words, n.name)
		}
	}
	return strings.Join(words, ", ")
}
