package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/internal/pythons"
)

const root = "../.."

// TestPictures plays all scenes and checks that the screens have the text of the files. If they differ, the
// documentation shows an older npdb: go run ./internal/pictures writes the files again.
func TestPictures(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("npdb records programs on Unix only")
	}
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	python := pythons.Usual(t)
	npdb, err := build(t.Context(), root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := range scenes {
		s := &scenes[i]
		t.Run(filepath.Base(s.file), func(t *testing.T) {
			t.Parallel()
			if python.Minor < s.since {
				t.Skipf("Python %s has other events than the picture", python)
			}
			text, err := os.ReadFile(filepath.Join(root, s.file))
			if err != nil {
				t.Fatal(err)
			}
			want := make([]string, len(s.acts)) // "" for screens that the file does not show
			if s.cast() {
				want = screensOfCast(t, text)
			} else {
				want[len(want)-1] = textOfSVG(t, text)
			}
			if len(want) != len(s.acts) {
				t.Fatalf("the file shows %d screens, the scene has %d: go run ./internal/pictures", len(want), len(s.acts))
			}
			err = s.play(t.Context(), root, npdb, func(i int, m *screen) error {
				if want[i] == "" {
					return m.until(fmt.Sprintf("%q", s.acts[i].shows), s.acts[i].holds)
				}
				return m.until(fmt.Sprintf("screen %d of %s (go run ./internal/pictures writes it again):\n%sbut", i+1, s.file, want[i]), func(shown string) bool {
					return stable(shown) == stable(want[i])
				})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// textOfSVG returns the screen that a picture shows, from the positions of its texts.
func textOfSVG(t *testing.T, picture []byte) string {
	t.Helper()
	var svg struct {
		Texts []struct {
			X      float64 `xml:"x,attr"`
			Y      float64 `xml:"y,attr"`
			Length float64 `xml:"textLength,attr"`
			Text   string  `xml:",chardata"`
		} `xml:"g>text"`
		Height float64 `xml:"height,attr"`
	}
	if err := xml.Unmarshal(picture, &svg); err != nil || len(svg.Texts) < 50 {
		t.Fatalf("%d texts: %v", len(svg.Texts), err)
	}
	rows := make([]string, int((svg.Height-2*margin)/cellH+.5))
	for _, text := range svg.Texts {
		y, column := int((text.Y-baseline-margin)/cellH+.5), int((text.X-margin)/cellW+.5)
		rows[y] += strings.Repeat(" ", max(column-len([]rune(rows[y])), 0)) + text.Text
	}
	return strings.Join(rows, "\n") + "\n"
}

// screensOfCast returns the text of the terminal after each event of a cast except the last, which shows nothing new.
func screensOfCast(t *testing.T, cast []byte) (screens []string) {
	t.Helper()
	lines := bytes.Split(bytes.TrimSpace(cast), []byte("\n"))
	var head struct{ Version, Width, Height int }
	if err := json.Unmarshal(lines[0], &head); err != nil || head.Version != 2 {
		t.Fatalf("%s: %v", lines[0], err)
	}
	terminal := vt.NewEmulator(head.Width, head.Height)
	for _, line := range lines[1 : len(lines)-1] {
		var event [3]any
		if err := json.Unmarshal(line, &event); err != nil || event[1] != "o" {
			t.Fatalf("%s: %v", line, err)
		}
		if _, err := terminal.WriteString(event[2].(string)); err != nil {
			t.Fatal(err)
		}
		screens = append(screens, terminal.String())
	}
	return screens
}

// TestStable checks which differences between screens count.
func TestStable(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"npdb  gcd.py · 0.7 s     idle\n", "npdb  gcd.py · 12 ms   idle\n", true},
		{"a search tried 3,073 calls in 0.2 s, 156 of them", "a search tried 12 calls in 10.0 s, 3 of them", true},
		{`File "/tmp/npdb-tour-123/prices.py"`, `File "/tmp/npdb-tour-4/prices.py"`, true},
		{"n  0 was 1", "n  0 was 2", false},
		{"1 of 7", "1 of 6", false},
	} {
		if got := stable(c.a) == stable(c.b); got != c.same {
			t.Errorf("%q and %q are the same: %v", c.a, c.b, got)
		}
	}
}
