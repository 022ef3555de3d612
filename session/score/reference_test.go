package score

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const (
	referencePath = "../../docs/comparison.md"
	measuresBegin = "<!-- measures: made by go test ./session/score -run TestReference -update -->\n"
	measuresEnd   = "<!-- end of measures -->\n"
)

// TestReference compares the measures in docs/comparison.md with those of this package.
func TestReference(t *testing.T) {
	text, err := os.ReadFile(referencePath)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), measuresBegin)
	measures, after, ok2 := strings.Cut(rest, measuresEnd)
	if !ok || !ok2 {
		t.Fatalf("%s lacks a mark", referencePath)
	}
	var want strings.Builder
	want.WriteString("| measure | on the screen | right is |\n|---|---|---|\n")
	for _, m := range Measures() {
		fmt.Fprintf(&want, "| `%s` | %s | %s |\n", m, m.Label(), m.Doc())
	}
	if measures == want.String() {
		return
	}
	if !*update {
		t.Fatal("the measures in docs/comparison.md are not those of session/score: run go test ./session/score -run TestReference -update")
	}
	if err := os.WriteFile(referencePath, []byte(before+measuresBegin+want.String()+measuresEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
