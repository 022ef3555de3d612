//go:build unix

package trace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/trace"
)

// publicFolder is the environment variable with the folder of checkouts.
const publicFolder = "NPDB_PUBLIC"

// TestPublic compares the values recorded of public scripts with CPython's, as TestValues does.
// testdata/public.txt lists the scripts by repository and commit; NPDB_PUBLIC names a folder
// with a checkout of each, OWNER+NAME.
func TestPublic(t *testing.T) {
	folder := os.Getenv(publicFolder)
	if folder == "" {
		t.Skipf("%s names no folder of checkouts of the repositories in testdata/public.txt", publicFolder)
	}
	holdValues(t, publicPrograms(t, folder, "public.txt"), 1, trace.ReprsAsked)
}

// TestPublicComputed compares the texts that npdb evaluates from the attributes of public
// scripts' objects with CPython's, as TestValuesComputed does.
func TestPublicComputed(t *testing.T) {
	folder := os.Getenv(publicFolder)
	if folder == "" {
		t.Skipf("%s names no folder of checkouts of the repositories in testdata/public.txt", publicFolder)
	}
	programs := publicPrograms(t, folder, "public.txt")
	for i := range programs {
		programs[i].computed = true
	}
	holdValues(t, programs, 1, trace.ReprsAsked)
}

// publicPrograms reads a list in testdata: a line "OWNER/NAME COMMIT", then a path each,
// indented.
func publicPrograms(t *testing.T, folder, name string) []program {
	t.Helper()
	list, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var programs []program
	repository := ""
	for line := range strings.Lines(string(list)) {
		line = strings.TrimRight(line, "\n")
		switch path, indented := strings.CutPrefix(line, "  "); {
		case line == "" || line[0] == '#':
		case !indented:
			name, _, _ := strings.Cut(line, " ")
			repository = strings.ReplaceAll(name, "/", "+")
		default:
			words := strings.Fields(path)
			p := readProgram(t, strings.TrimSuffix(words[0], ".py"), filepath.Join(folder, repository, words[0]))
			p.repository = repository
			p.from = 12 // some have type parameters
			p.tags = append(p.tags, words[1:]...)
			programs = append(programs, p)
		}
	}
	if len(programs) == 0 {
		t.Fatalf("testdata/%s lists no program", name)
	}
	slices.SortFunc(programs, func(a, b program) int { return strings.Compare(a.name, b.name) })
	return programs
}
