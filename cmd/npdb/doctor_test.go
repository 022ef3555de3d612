package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/doctor"
)

// found is a section with a fact of each kind.
var found = doctor.Section{Name: "model", Facts: []doctor.Fact{
	{Name: "model", Mark: doctor.Right, Text: "nd\x1b[31m"},
	{Name: "capability", Which: "special token is one token", Mark: doctor.Note, Text: "no, <|frame_sep|> is 5 token(s): the model's vocabulary lacks the token: map the names of its own with [model.tokens]"},
	{Name: "answer", Mark: doctor.Wrong, Fails: true, Text: "http://127.0.0.1:1/v1 refuses connections: no server runs there. Start it, or check --base-url", Do: "docs/servers.md says what to do for each message"},
}}

// TestWriteSection checks the output for known facts, in 80 columns and without colors.
func TestWriteSection(t *testing.T) {
	const want = `model
  ✓ model                       nd\x1b[31m
  ! special token is one token  no, <|frame_sep|> is 5 token(s): the model's
                                vocabulary lacks the token: map the names of its
                                own with [model.tokens]
  ✗ answer                      http://127.0.0.1:1/v1 refuses connections: no
                                server runs there. Start it, or check --base-url
                                → docs/servers.md says what to do for each
                                message
`
	var b bytes.Buffer
	if err := writeSection(cli.Page{Writer: &b, Columns: 80}, found, true); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("it shows\n%s\nwant\n%s", b.String(), want)
	}
}

// TestSectionFits checks that nothing is cut at any width, and that no line is wider than
// the terminal, unless it is very narrow.
func TestSectionFits(t *testing.T) {
	words := strings.Fields("special token is one token no, <|frame_sep|> [model.tokens] refuses --base-url docs/servers.md message")
	for _, columns := range []int{50, 60, 80, 100, 200} {
		for _, profile := range []colorprofile.Profile{colorprofile.NoTTY, colorprofile.TrueColor} {
			var b bytes.Buffer
			if err := writeSection(cli.Page{Writer: &b, Columns: columns, Profile: profile}, found, false); err != nil {
				t.Fatal(err)
			}
			out := ansi.Strip(b.String())
			for _, word := range words {
				if !strings.Contains(out, word) {
					t.Errorf("%d columns: %q is cut in\n%s", columns, word, out)
				}
			}
			for line := range strings.Lines(out) {
				if n := ansi.StringWidth(line); n > columns {
					t.Errorf("%d columns: %d in %q", columns, n, line)
				}
				if strings.ContainsAny(line, "✓✗→") {
					t.Errorf("no ASCII: %q", line)
				}
			}
			if colored := out != b.String(); colored != (profile == colorprofile.TrueColor) {
				t.Errorf("colors: %v", colored)
			}
		}
	}
}

func TestComesTo(t *testing.T) {
	r := &doctor.Report{Sections: []doctor.Section{found}}
	if got := comesTo(r); got != "1 wrong, 1 worth knowing." {
		t.Error(got)
	}
	if got := comesTo(&doctor.Report{}); got != "All is as it should be." {
		t.Error(got)
	}
}
