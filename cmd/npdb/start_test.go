package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestLittleIsDoneAtStart checks that no package does much work at npdb's start:
// everything else must wait until it is needed. chroma's packages styles and lexers, which
// parse the files of all styles and languages, would take some megabytes each.
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
		// An example: init github.com/npdb/npdb/python @1.9 ms, 0.35 ms clock, 120920
		// bytes, 1019 allocs
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
