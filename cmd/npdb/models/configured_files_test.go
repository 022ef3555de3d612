package models

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/config"
)

// TestModelFiles checks that the files with settings for a model are read, and that their
// errors are reported.
func TestModelFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own := config.Model{BaseURL: "http://127.0.0.1:8000/v1", Dialect: "chat", Prompt: "text", System: file("system.txt", "\nYou are a debugger.\n")}
	o, err := ServerConfig(own)
	if err != nil || o.System != "You are a debugger." {
		t.Errorf("%q, %v", o.System, err)
	}
	for name, c := range map[string]struct {
		change func(*config.Model)
		want   string
	}{
		"no system message":         {func(m *config.Model) { m.System = filepath.Join(dir, "none") }, "model.system"},
		"an empty one":              {func(m *config.Model) { m.System = file("empty.txt", " \n") }, "it is empty"},
		"one that is no text":       {func(m *config.Model) { m.System = file("bytes.txt", "\xff\xfe") }, "no UTF-8"},
		"no tokenizer":              {func(m *config.Model) { m.Tokenizer = filepath.Join(dir, "none") }, "model.tokenizer"},
		"one that is no such":       {func(m *config.Model) { m.Tokenizer = file("tokenizer.model", "{}") }, "line 1"},
		"one that is not all of it": {func(m *config.Model) { m.Tokenizer = file("half.model", "YQ== 0\n") }, "no whole"},
	} {
		m := own
		c.change(&m)
		if _, err := ServerConfig(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
