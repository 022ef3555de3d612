package doctor

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables in docs/doctor.md")

const pagePath = "../../../docs/doctor.md"

// means describes each field of the JSON, for the page.
var means = map[string]string{
	"v":        "the version of this form: 1",
	"works":    "true if no fact has `fails`",
	"sections": "the requested sections, in order",
	"name":     "of a section, or of a fact: see below",
	"took_ms":  "how long the section took",
	"facts":    "in the order of the screen",
	"which":    "distinguishes facts with the same name; otherwise omitted",
	"mark":     "`right`, `note` (worth knowing) or `wrong`",
	"text":     "the fact for a person",
	"do":       "advice; omitted if there is none",
	"value":    "the fact for a program; omitted if the text says everything, or if it is unknown",
	"fails":    "true if npdb fails because of this; otherwise omitted",
}

// TestPage checks that docs/doctor.md lists the fields of the JSON and all facts.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for what, made := range map[string]string{"fields": fieldTable(t), "facts": factTable()} {
		begin := "<!-- " + what + ": made by go test ./cmd/npdb/doctor -run TestPage -update -->\n"
		end := "<!-- end of " + what + " -->\n"
		before, rest, found := strings.Cut(page, begin)
		table, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("the page has no mark for its %s", what)
		}
		if table != made && !*update {
			t.Errorf("the %s on the page are not those of the code: go test ./cmd/npdb/doctor -run TestPage -update writes them", what)
		}
		page = before + begin + made + end + after
	}
	if *update {
		if err := os.WriteFile(pagePath, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, section := range Sections() {
		if !strings.Contains(page, "`"+section+"`") {
			t.Errorf("the page does not tell of %s", section)
		}
	}
}

func fieldTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| of | field | |\n|---|---|---|\n")
	for _, of := range []struct {
		name string
		typ  reflect.Type
	}{{"the object", reflect.TypeFor[Report]()}, {"a section", reflect.TypeFor[Section]()}, {"a fact", reflect.TypeFor[Fact]()}} {
		for i := range of.typ.NumField() {
			name, _, _ := strings.Cut(of.typ.Field(i).Tag.Get("json"), ",")
			if means[name] == "" {
				t.Errorf("what %s is nobody says", name)
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s |\n", of.name, name, means[name])
		}
	}
	return b.String()
}

func factTable() string {
	var b strings.Builder
	b.WriteString("| section | fact | what it says | value |\n|---|---|---|---|\n")
	for _, n := range Names() {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", n.Section, n.Name, n.Means, n.Value)
	}
	return b.String()
}
