package bench

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestPeoplesPrograms checks that the programs have a realistic length.
func TestPeoplesPrograms(t *testing.T) { checkPrograms(t, "programs", 60, 200, 18) }

// TestHardPrograms checks the short programs whose values are hard to record.
func TestHardPrograms(t *testing.T) { checkPrograms(t, "hard", 15, 60, 10) }

// checkPrograms runs each program with a hot line in a folder, without npdb. It checks that the number
// of lines is in range, that the hot line is executed, and that the checksum is the same with every
// Python.
func checkPrograms(t *testing.T, folder string, fewest, most, wanted int) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	hot := regexp.MustCompile(`(?m)^ +[^#\n]+# hot: .+$`)
	checksum := regexp.MustCompile(`(?m)^checksum \d+\n\z`)
	count := 0
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch found := hot.FindAll(source, -1); {
		case len(found) == 0:
			continue
		case len(found) > 1:
			t.Errorf("%s names %d hot lines", path, len(found))
		}
		count++
		if lines := strings.Count(string(source), "\n"); lines < fewest || lines > most {
			t.Errorf("%s has %d lines", path, lines)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			want := ""
			for _, python := range pythons.All(t) {
				printed, err := exec.CommandContext(t.Context(), python.Path, path).Output()
				if err != nil {
					t.Fatalf("on %v: %v", python, err)
				}
				got := checksum.FindString(string(printed))
				if got == "" || want != "" && got != want {
					t.Errorf("on %v it ends with %q, want %q", python, got, want)
				}
				want = got
			}
		})
	}
	if count < wanted {
		t.Errorf("%d programs name their hot line, want at least %d", count, wanted)
	}
}

// people runs people.py with the shell script npdb in place of npdb. In the script, "$@" is the
// interpreter and the program. It returns the output and the exit code.
func people(t *testing.T, npdb, program string, arguments ...string) (string, int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("CPU time of a process tree needs Unix")
	}
	dir := t.TempDir()
	fake := filepath.Join(dir, "npdb")
	programs := filepath.Join(dir, "programs")
	if err := os.Mkdir(programs, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{fake: "#!/bin/sh\nshift 2\n" + npdb, filepath.Join(programs, "counts.py"): program} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil { //nolint:gosec // it is run
			t.Fatal(err)
		}
	}
	arguments = append([]string{"people.py", fake, "--folder", programs}, arguments...)
	command := exec.CommandContext(t.Context(), pythons.Any(t), arguments...)
	command.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	printed, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(printed), command.ProcessState.ExitCode()
}

const counts = "total = 0\nfor i in range(3):\n    total += i  # hot: i < 0\nprint('checksum', total)\n"

// TestPeopleTable checks that the table has a row for the program and both verdicts, and
// that the exit code says whether the targets are met.
func TestPeopleTable(t *testing.T) {
	for _, test := range []struct {
		name, npdb, program string
		arguments           []string
		code                int
		want                []string
	}{
		{"within the targets", `exec "$@"`, counts, nil, 0, []string{`counts +\d\.\d\d +\d\.\d\d +\d\.\d\d +\d\.\d\d +\d+\n`, `median +\d\.\d\d x +at most 3 +PASS`, `worst \(counts\) +\d\.\d\d x +at most 10 +PASS`}},
		{"without an end", `while :; do :; done`, counts, []string{"--limit", "11"}, 1, []string{`counts .*stopped: over 11 times pdb\n`, `worst \(counts\) +> +11\.00 x +at most 10 +FAIL`}},
		{"a broken program", `echo checksum 4`, counts, nil, 1, []string{`counts .*npdb broke the program: counts as 30\n`, `median +30\.00 x +at most 3 +FAIL`}},
		{"a condition that holds", `exec "$@"`, strings.Replace(counts, "i < 0", "i < 2", 1), nil, 1, []string{`people\.py: counts did not run to its end under pdb`}},
		{"no program", `exec "$@"`, "print('checksum', 0)\n", nil, 1, []string{`people\.py: there is no program to measure`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			printed, code := people(t, test.npdb, test.program, test.arguments...)
			if code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			for _, want := range test.want {
				if !regexp.MustCompile(want).MatchString(printed) {
					t.Errorf("nothing like %s in\n%s", want, printed)
				}
			}
		})
	}
}

// TestPyperformance checks people.py with a program of a checkout and lab/bench/standin in place of
// pyperf, which shortens it. A program that is missing, or whose data is missing, has a row without
// figures, and no target is met.
func TestPyperformance(t *testing.T) {
	checkout := t.TempDir()
	folder := filepath.Join(checkout, "pyperformance", "data-files", "benchmarks", "bm_float")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	const float = `import pyperf

def length(x):
    norm = sqrt(x * x)
    return norm

def benchmark(n):
    print("points", n)
    return sum(length(x) for x in range(n))

if __name__ == "__main__":
    from math import sqrt
    runner = pyperf.Runner()
    runner.metadata['description'] = "Float benchmark"
    runner.bench_func('float', benchmark, 100000)
`
	if err := os.WriteFile(filepath.Join(folder, "run_benchmark.py"), []byte(float), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NPDB_PYPERFORMANCE", checkout)
	telco := filepath.Join(filepath.Dir(folder), "bm_telco")
	if err := os.MkdirAll(telco, 0o700); err != nil {
		t.Fatal(err)
	}
	const reads = "def run(n):\n    calltype = n & 1\n\nwith open(__file__ + '.b') as file:\n    pass\n"
	if err := os.WriteFile(filepath.Join(telco, "run_benchmark.py"), []byte(reads), 0o600); err != nil {
		t.Fatal(err)
	}
	without, code := people(t, `exec "$@"`, counts, "--only", "float,telco,go")
	if code != 1 {
		t.Errorf("exit code %d where programs are missing", code)
	}
	for _, want := range []string{
		`telco +not run: FileNotFoundError: .*run_benchmark\.py\.b'\n`, `go +not run: it is not in this checkout\n`, `float +0\.\d\d +0\.\d\d`,
		`pyperformance, median of 1 +0\.\d\d x`, `pyperformance, not run: go, telco +FAIL\n`,
	} {
		if !regexp.MustCompile(want).MatchString(without) {
			t.Errorf("nothing like %s in\n%s", want, without)
		}
	}
	none, code := people(t, `exec "$@"`, counts, "--only", "telco")
	if code != 1 || !strings.Contains(none, "pyperformance, not run: telco") || strings.Contains(none, "median") {
		t.Errorf("where no program runs: exit code %d,\n%s", code, none)
	}
	printed, code := people(t, `exec "$@"`, counts, "--only", "float")
	if code != 0 {
		t.Errorf("exit code %d:\n%s", code, printed)
	}
	for _, want := range []string{`float +0\.\d\d +0\.\d\d`, `pyperformance, worst \(float\) +0\.\d\d x`} {
		if !regexp.MustCompile(want).MatchString(printed) {
			t.Errorf("nothing like %s in\n%s", want, printed)
		}
	}
	if strings.Contains(printed, "counts ") {
		t.Errorf("what --only leaves out was measured:\n%s", printed)
	}
}
