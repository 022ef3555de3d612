package main

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// written is a table as a page of so many columns has it.
func written(t *testing.T, l *table, columns int, profile colorprofile.Profile) string {
	t.Helper()
	var b strings.Builder
	if err := l.write(page{Writer: &b, columns: columns, profile: profile}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func settingsTable() *table {
	l := headed("name", "what it is")
	l.section("First")
	l.add(styled(good, "--base-url"), styled(plain, "Where the server is, as --max-tokens tells."))
	l.section("Second")
	l.add(styled(plain, "x"), styled(bad, "short"))
	return l
}

// Columns are as wide as what they hold; prose is wrapped between words where the
// terminal is narrow, and nothing is cut.
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

// With colors the text is the same.
func TestTableColors(t *testing.T) {
	for _, columns := range []int{0, 38, 80} {
		plain := written(t, settingsTable(), columns, colorprofile.ASCII)
		colored := written(t, settingsTable(), columns, colorprofile.TrueColor)
		if stripped := ansi.Strip(colored); stripped != plain || stripped == colored {
			t.Errorf("%d columns:\n%s\nwant\n%s", columns, stripped, plain)
		}
	}
}

// What steers a terminal is written as text, and cannot break a row.
func TestTableEscapes(t *testing.T) {
	l := &table{}
	l.add(styled(plain, "a\x1b[31m\nb\t\u202e\ue000-"), styled(plain, "c"))
	if got, want := written(t, l, 0, colorprofile.TrueColor), `a\x1b[31m\x0ab\x09\u202e\ue000-  c`+"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
