package main

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
)

// TestThemesWords checks that the text below the list fits an ordinary terminal, however
// long the path of the configuration is. The path is on its own line, so that it can be
// copied.
func TestThemesWords(t *testing.T) {
	home := "/home/grete/" + strings.Repeat("a/long/way/", 6)
	t.Setenv("XDG_CONFIG_HOME", home)
	var b strings.Builder
	if err := listThemes(cli.Page{Writer: &b}); err != nil {
		t.Fatal(err)
	}
	_, words, ok := strings.Cut(b.String(), "\n\nWithout ")
	if !ok {
		t.Fatalf("no words below the list:\n%s", b.String())
	}
	for _, line := range strings.Split("Without "+words, "\n") {
		if strings.Contains(line, home) {
			if line != "  "+config.Path() {
				t.Errorf("the path is not alone: %q", line)
			}
		} else if len(line) >= 80 {
			t.Errorf("%q is %d columns wide", line, len(line))
		}
	}
}
