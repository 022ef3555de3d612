//go:build unix

package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/internal/pythons"
)

// TestModelStories plays the sessions of README and of three pages of docs with the model in the binary,
// on the programs of these pages.
func TestModelStories(t *testing.T) {
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	var pages []byte
	for _, page := range []string{"README.md", "docs/neural.md", "docs/history.md", "docs/reverse.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, text...)
	}
	programs := filesOf(pages)
	blocks := regexp.MustCompile("(?s)```console\n\\$ go run ./cmd/npdb (--mode neural|--mode both|--plain) (--plain|--traceback) (\\S+)\n(.*?)```\n").FindAllSubmatch(pages, -1)
	if len(blocks) != 4 {
		t.Fatalf("the pages have %d sessions with the model that npdb carries, not four", len(blocks))
	}
	for _, block := range blocks {
		how, file := string(block[1])+" "+string(block[2]), string(block[3])
		t.Run(how, func(t *testing.T) {
			if programs[file] == nil {
				t.Fatalf("the pages have no block after \"This is `%s`:\"", file)
			}
			home, path := t.TempDir(), "" // neural mode needs no Python
			arguments := strings.Fields(how)
			if strings.Contains(how, config.ModeBoth) {
				path, arguments = os.Getenv("PATH"), append([]string{"--python", pythons.Any(t)}, arguments...)
			}
			for name, text := range programs { // a traceback's program is beside it
				if err := os.WriteFile(filepath.Join(home, name), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var typed, want strings.Builder
			for line := range strings.Lines(string(block[4])) {
				if c, ok := strings.CutPrefix(line, "(npdb) "); ok {
					typed.WriteString(c)
				} else {
					want.WriteString(line)
				}
			}
			npdb := npdbCommand(t, home, []string{"PATH=" + path}, append(arguments, file)...)
			npdb.Stdin = strings.NewReader(typed.String() + "q\n")
			said, err := npdb.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(string(said), home+string(filepath.Separator), "")
			sameButForHow(t, got, want.String())
		})
	}
}

// filesOf returns the files that a page shows, by name.
func filesOf(page []byte) map[string][]byte {
	files := map[string][]byte{}
	for _, b := range regexp.MustCompile("(?s)This is `([^`\n]+)`:\n\n```(?:python|text)\n(.*?)```\n").FindAllSubmatch(page, -1) {
		files[string(b[1])] = b[2]
	}
	return files
}

// confidence matches the model's confidence in a state or a score.
var confidence = regexp.MustCompile(`\b[01]\.\d\d\]|\d+% sure`)

// sameButForHow checks that texts are equal except for the last digit of confidences,
// which depends on the processor's order of additions.
func sameButForHow(t *testing.T, got, want string) {
	t.Helper()
	if confidence.ReplaceAllString(got, "#") != confidence.ReplaceAllString(want, "#") {
		t.Errorf("npdb answers\n%s\nthe page says\n%s", got, want)
		return
	}
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(strings.TrimRight(s, "]% sure"), 64)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(s, "sure") {
			return x / 100
		}
		return x
	}
	told := confidence.FindAllString(want, -1)
	for i, s := range confidence.FindAllString(got, -1) {
		if math.Abs(number(s)-number(told[i])) > 0.03 {
			t.Errorf("npdb is %s sure, the page says %s", s, told[i])
		}
	}
}
