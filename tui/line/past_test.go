package line

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kept returns the contents of the file.
func kept(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestHistoryIsBounded checks that the file does not grow without limit.
func TestHistoryIsBounded(t *testing.T) {
	p := &pastFile{path: filepath.Join(t.TempDir(), "npdb", "commands")}
	for n := range 5*mostPast + 3 {
		p.add(fmt.Sprintf("p %d", n))
		if msg := p.save(); msg != nil {
			t.Fatal(msg)
		}
	}
	if n := strings.Count(kept(t, p.path), "\n"); n < mostPast || n >= 2*mostPast {
		t.Errorf("%d commands are kept", n)
	}
	msg := (&pastFile{path: p.path}).load().(Past)
	if n := len(msg.lines); n != mostPast || msg.lines[n-1] != fmt.Sprintf("p %d", 5*mostPast+2) {
		t.Errorf("%d commands are read, the last is %q", n, msg.lines[n-1])
	}
	if left, err := filepath.Glob(p.path + ".*"); err != nil || len(left) > 0 {
		t.Errorf("%v is left over, %v", left, err)
	}
}

// TestHistoryCutOff checks that a line that a crash has cut off is not read as a command,
// and does not become part of one.
func TestHistoryCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(path, []byte("p 1\n\np \xff\np 23"), 0o644); err != nil { //nolint:gosec // made strict below
		t.Fatal(err)
	}
	p := &pastFile{path: path}
	if msg := p.load().(Past); fmt.Sprintf("%q", msg.lines) != `["p 1" "p �"]` {
		t.Errorf("the commands are %q", msg.lines)
	}
	p.add("p 4")
	p.save()
	if got := kept(t, path); !strings.HasSuffix(got, "p 23\np 4\n") {
		t.Errorf("the file has %q", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}
