package cli

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// written returns a table printed on a page of the given columns.
func written(t *testing.T, l *Table, columns int, profile colorprofile.Profile) string {
	t.Helper()
	var b strings.Builder
	if err := l.Write(Page{Writer: &b, Columns: columns, Profile: profile}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func settingsTable() *Table {
	l := Headed("name", "what it is")
	l.Section("First")
	l.Add(Styled(Good, "--base-url"), Styled(Plain, "Where the server is, as --max-tokens tells."))
	l.Section("Second")
	l.Add(Styled(Plain, "x"), Styled(Bad, "short"))
	return l
}

// TestTable checks that columns are as wide as their content, that prose is wrapped
// between words on a narrow terminal, and that nothing is cut.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		columns int
		want    string
	}{
		{0, `
  name        what it is

First
  --base-url  Where the server is, as --max-tokens tells.

Second
  x           short
`},
		{57, `
  name        what it is

First
  --base-url  Where the server is, as --max-tokens tells.

Second
  x           short
`},
		{38, `
  name        what it is

First
  --base-url  Where the server is, as
              --max-tokens tells.

Second
  x           short
`},
		{5, `
  name        what it is

First
  --base-url  Where the server
              is, as
              --max-tokens
              tells.

Second
  x           short
`},
	} {
		if got := written(t, settingsTable(), c.columns, colorprofile.ASCII); got != c.want[1:] {
			t.Errorf("%d columns:\n%s\nwant%s", c.columns, got, c.want)
		}
	}
}

// TestTableColors checks that colors do not change the text.
func TestTableColors(t *testing.T) {
	for _, columns := range []int{0, 38, 80} {
		plain := written(t, settingsTable(), columns, colorprofile.ASCII)
		colored := written(t, settingsTable(), columns, colorprofile.TrueColor)
		if stripped := ansi.Strip(colored); stripped != plain || stripped == colored {
			t.Errorf("%d columns:\n%s\nwant\n%s", columns, stripped, plain)
		}
	}
}

// TestTableEscapes checks that control characters are escaped, and do not break a row.
func TestTableEscapes(t *testing.T) {
	l := &Table{}
	l.Add(Styled(Plain, "a\x1b[31m\nb\t\u202e\ue000-"), Styled(Plain, "c"))
	if got, want := written(t, l, 0, colorprofile.TrueColor), `a\x1b[31m\x0ab\x09\u202e\ue000-  c`+"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
