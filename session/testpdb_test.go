//go:build unix

package session_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// scenario is a doctest of the interpreter's test_pdb: a program, and the lines typed
// while it is debugged.
type scenario struct {
	Name     string   `json:"name"`
	Commands []string `json:"commands"`
}

// leastEqual is the minimum number of scenarios of test_pdb with equal answers only.
const leastEqual = 34

// TestPdbScenarios plays the scenarios of CPython 3.13's own test_pdb, which is read from
// the interpreter's installation, in pdb and in npdb's plain front end. The answers must
// be the same, except those in differences. It takes half a minute: NPDB_TEST_PDB=1 turns
// it on.
func TestPdbScenarios(t *testing.T) {
	if os.Getenv("NPDB_TEST_PDB") == "" {
		t.Skip("plays CPython's test_pdb only with NPDB_TEST_PDB=1")
	}
	python := pythons.Between(t, 13, 13)[0].Path
	if out, err := exec.Command(python, "-c", "import test.test_pdb").CombinedOutput(); err != nil {
		t.Skipf("%s is installed without its tests: %s", python, out)
	}
	dir := t.TempDir()
	names, err := filepath.Abs(filepath.Join("testdata", "testpdb", "names"))
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "PYTHONPATH="+names, "PYTHONHASHSEED=0", "PYTHON_COLORS=0", "PYTHONDONTWRITEBYTECODE=1")
	scenarios := extract(t, python, dir)
	equal := 0
	for _, sc := range scenarios {
		known := differences[sc.Name]
		t.Run(sc.Name, func(t *testing.T) {
			folder := filepath.Join(dir, sc.Name)
			want := playPdb(t, python, folder, env)
			got := playNpdb(t, python, folder, env, sc.Commands)
			if wantAnswers(t, sc.Commands, got, want, known) {
				equal++
			}
		})
		delete(differences, sc.Name)
	}
	for name := range differences {
		t.Errorf("the table names %s, which test_pdb does not have", name)
	}
	t.Logf("%d of %d scenarios are equal in every answer", equal, len(scenarios))
	if equal < leastEqual {
		t.Errorf("%d scenarios are equal in every answer, at least %d have to be", equal, leastEqual)
	}
}

// difference is an answer that intentionally differs from pdb's.
type difference struct {
	answer int    // its number; 0 is the first stop
	rest   bool   // all following answers cannot be compared
	why    string // the reason
}

// wantAnswers checks that the answers are the same except for the known differences, which
// must differ. It reports whether all are the same. It ignores lines typed to npdb after
// pdb has ended, and pdb's output when it is left.
func wantAnswers(t *testing.T, commands, got, want []string, known []difference) (equal bool) {
	t.Helper()
	equal = true
	for i, w := range want {
		typed := "(the first stop)"
		if i > 0 && i <= len(commands) {
			typed = commands[i-1]
		}
		if typed == "exit" {
			break
		}
		g := "(nothing: npdb was not asked)"
		if i < len(got) {
			g = got[i]
		}
		at := slices.IndexFunc(known, func(d difference) bool { return d.answer == i })
		switch {
		case g != w && at < 0:
			t.Errorf("answer %d, to %s\nnpdb answers\n%s\npdb answers\n%s", i, typed, g, w)
		case g == w && at >= 0:
			t.Errorf("answer %d, to %s, is pdb's; the table says that it is not: %s", i, typed, known[at].why)
		}
		if g != w {
			equal = false
		}
		if at >= 0 && known[at].rest || g != w && at < 0 {
			break
		}
	}
	for _, d := range known {
		if d.answer >= len(want) {
			t.Errorf("the table has answer %d, there are %d", d.answer, len(want))
		}
	}
	return equal
}

// extract writes the programs of the scenarios to dir.
func extract(t *testing.T, python, dir string) []scenario {
	t.Helper()
	cmd := exec.Command(python, filepath.Join("testdata", "testpdb", "extract.py"), dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("extract.py: %v\n%s", err, &stderr)
	}
	var found []scenario
	if err := json.Unmarshal(out, &found); err != nil || len(found) == 0 {
		t.Fatalf("extract.py found no scenarios: %v\n%s", err, out)
	}
	return found
}

// playPdb runs a program alone: it calls pdb itself. It returns the output of pdb and the
// program before the first typed line and after each.
func playPdb(t *testing.T, python, folder string, env []string) []string {
	t.Helper()
	cmd := exec.Command(python, "main.py")
	cmd.Dir, cmd.Env = folder, append(env, "NPDB_TESTPDB_TYPES=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if len(out) == 0 && err != nil {
		t.Fatalf("%s: %v\n%s", folder, err, &stderr)
	}
	answers := strings.Split(string(out), mark)
	for i, a := range answers[:len(answers)-1] {
		answers[i] = a[:strings.LastIndexByte(a, '\n')+1] // without the prompt
	}
	return normal(answers, folder)
}

// playNpdb debugs a program in npdb's plain front end: it continues to the program's call
// of the debugger, and then types the lines.
func playNpdb(t *testing.T, python, folder string, env, commands []string) []string {
	t.Helper()
	o := trace.Options{Python: python, Script: "main.py", Dir: folder, Env: env}
	answers := played(t, o, nil, append([]string{"c"}, commands...)...)
	answers = normal(answers[1:], folder) // without the program's first line
	for i, a := range answers {
		answers[i] = strings.TrimRight(strings.TrimSuffix(a, "Clear all breaks?"), "\n") // a prompt; playPdb removes pdb's
	}
	return answers
}

var (
	address = regexp.MustCompile(` at 0x[0-9a-fA-F]+`)
	ending  = regexp.MustCompile(`(?s)The program finished\. Exit code: .*$`)
)

// normal removes necessary differences from answers: addresses, which npdb does not show,
// npdb's message at the end of the program, spaces at line ends.
func normal(answers []string, folder string) []string {
	for i, a := range answers {
		a = ending.ReplaceAllString(address.ReplaceAllString(a, ""), "")
		a = strings.ReplaceAll(a, folder+string(filepath.Separator), "")
		lines := strings.Split(strings.TrimRight(a, " \n"), "\n")
		for n, l := range lines {
			lines[n] = strings.TrimRight(l, " \t")
		}
		answers[i] = strings.Join(lines, "\n")
	}
	return answers
}
