package compare

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables in docs/comparison.md")

const referencePath = "../../docs/comparison.md"

// TestReference compares the tables in docs/comparison.md with those of this package.
func TestReference(t *testing.T) {
	var fields, verdicts, rules strings.Builder
	fields.WriteString("| field | what is compared |\n|---|---|\n")
	for _, f := range Fields() {
		fmt.Fprintf(&fields, "| `%s` | %s |\n", f, f.Doc())
	}
	verdicts.WriteString("| verdict | meaning | wrong |\n|---|---|---|\n")
	for _, k := range Kinds() {
		wrong := ""
		if k.Wrong() {
			wrong = "yes"
		}
		fmt.Fprintf(&verdicts, "| `%s` | %s | %s |\n", k, k.Doc(), wrong)
	}
	rules.WriteString("| rule | makes no difference | still differ |\n|---|---|---|\n")
	for _, r := range RuleList() {
		fmt.Fprintf(&rules, "| `%s` | %s | %s |\n", r.Name, r.Doc, r.Not)
	}
	text, err := os.ReadFile(referencePath)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, part := range []struct{ name, want string }{
		{"fields", fields.String()},
		{"verdicts", verdicts.String()},
		{"rules", rules.String()},
	} {
		_, rest, ok := strings.Cut(page, "<!-- "+part.name+": made by go test ./session/compare -run TestReference -update -->\n")
		_, after, ok2 := strings.Cut(rest, "<!-- end of "+part.name+" -->\n")
		if !ok || !ok2 {
			t.Fatalf("docs/comparison.md lacks a mark of the %s", part.name)
		}
		page = page[:len(page)-len(rest)] + part.want + "<!-- end of " + part.name + " -->\n" + after
	}
	if page == string(text) {
		return
	}
	if !*update {
		t.Fatal("the tables in docs/comparison.md are not those of session/compare: run go test ./session/compare -run TestReference -update")
	}
	if err := os.WriteFile(referencePath, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}
