package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// No package reads much when npdb starts: what a start does not need waits until it
// is asked for. chroma's packages styles and lexers, which parse the files of all
// styles and all languages, take some megabytes each.
func TestLittleIsDoneAtStart(t *testing.T) {
	const most = 512 << 10 // bytes that a package may allocate
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	seen := 0
	for line := range strings.Lines(string(said)) {
		// init github.com/npdb/npdb/python @1.9 ms, 0.35 ms clock, 120920 bytes, 1019 allocs
		fields := strings.Fields(line)
		if len(fields) != 11 || fields[0] != "init" {
			continue
		}
		seen++
		if bytes, err := strconv.Atoi(fields[7]); err != nil || bytes > most {
			t.Errorf("%s allocates %s bytes at each start of npdb, want at most %d", fields[1], fields[7], most)
		}
	}
	if seen < 10 {
		t.Errorf("%d packages are told of: %s", seen, said)
	}
}
