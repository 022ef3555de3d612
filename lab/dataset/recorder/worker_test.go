//go:build unix

package recorder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
)

func begin(t *testing.T, c Config) *Worker {
	t.Helper()
	w, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// inWords formats the complete result of a job.
func inWords(t *testing.T, w *Worker, j Job) string {
	t.Helper()
	r, err := w.Record(t.Context(), j)
	if failed := (*Failure)(nil); errors.As(err, &failed) {
		return failed.Reason
	}
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%+v %d\n", r.Program, r.Fatal)
	for i := range r.Tree.Len() {
		fmt.Fprintf(&b, "%+v %+v\n", r.Tree.At(i), r.Tree.State(i).Locals)
	}
	return b.String()
}

// TestReasons checks that Go and Python contain the same list of reasons.
func TestReasons(t *testing.T) {
	source, err := makerFiles.ReadFile("maker/giving_up.py")
	if err != nil {
		t.Fatal(err)
	}
	reasons := []string{spoiled}
	for _, found := range regexp.MustCompile(`(?m)^[A-Z_]+ = "(.*)"$`).FindAllStringSubmatch(string(source), -1) {
		reasons = append(reasons, found[1])
	}
	slices.Sort(reasons)
	if known := slices.Sorted(slices.Values(Reasons)); !slices.Equal(reasons, known) {
		t.Errorf("Python gives up for\n%q\nknown are\n%q", reasons, known)
	}
}

// TestTheSameJob checks that a job's recording does not depend on earlier jobs or on the worker.
func TestTheSameJob(t *testing.T) {
	c := Config{Python: pythons.Between(t, 12, 14)[0].Path}
	one, other := begin(t, c), begin(t, c)
	job := func(n int) Job { return Job{Seed: "same", Number: n, Difficulty: float64(n) / 8} }
	var forth []string
	for n := range 8 {
		forth = append(forth, inWords(t, one, job(n)))
	}
	for n := 7; n >= 0; n-- {
		if got := inWords(t, other, job(n)); got != forth[n] {
			t.Errorf("job %d gives\n%s\nand gave\n%s", n, got, forth[n])
		}
	}
	slices.Sort(forth)
	if len(slices.Compact(forth)) < 7 {
		t.Error("the numbers give the same programs")
	}
	// A generated program has the same recording when it is given.
	made, err := one.Record(t.Context(), job(1))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := inWords(t, other, Job{Program: &made.Program}), inWords(t, other, job(1)); got != want {
		t.Errorf("the program that was made gives\n%s\nwhen given\n%s", want, got)
	}
}

// TestMadeProgramsAreRecorded checks that actions of the generators do not count as side effects of the
// program.
func TestMadeProgramsAreRecorded(t *testing.T) {
	w := begin(t, Config{Python: pythons.Between(t, 12, 14)[0].Path})
	failed := map[string]int{}
	for number := range 60 {
		var f *Failure
		if _, err := w.Record(t.Context(), Job{Seed: "made", Number: number, Difficulty: float64(number) / 60}); errors.As(err, &f) {
			failed[f.Reason]++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	delete(failed, "long value")
	delete(failed, "too many events")
	if len(failed) > 0 {
		t.Errorf("of 60 programs some are given up: %v", failed)
	}
}

// TestNoStateLeaks checks that a program leaves nothing behind for the next one.
func TestNoStateLeaks(t *testing.T) {
	w := begin(t, Config{Python: pythons.Any(t)})
	look := Job{Program: &Program{Source: "import builtins, collections, sys, random\nx = hasattr(builtins, 'left'), hasattr(collections, 'left'), len(sys.argv)\ny = random.random()\n"}}
	want := inWords(t, w, look)
	if !strings.Contains(want, "(False, False, 1)") {
		t.Fatal(want)
	}
	leave := Job{Program: &Program{Source: "import builtins, collections, sys, random\nbuiltins.left = collections.left = 1\nsys.argv.append('x')\nrandom.random()\nx = 1\n"}}
	if got := inWords(t, w, leave); !strings.Contains(got, "x") {
		t.Fatal(got)
	}
	if got := inWords(t, w, look); got != want {
		t.Errorf("after another program it sees\n%s\nwant\n%s", got, want)
	}
}

func TestLimits(t *testing.T) {
	w := begin(t, Config{Python: pythons.Any(t), Limits: Limits{Events: 5, Text: 20, Bytes: 600, Wall: 2 * time.Second}})
	lines := func(n int) Job { return Job{Program: &Program{Source: strings.Repeat("x = 1\n", n)}} }
	more := lines(5)
	more.Events = 6
	for name, c := range map[string]struct {
		job  Job
		want string
	}{
		"as many events": {lines(4), ""},
		"one too many":   {lines(5), "too many events"},
		"asked for more": {more, ""},
		"a long text":    {Job{Program: &Program{Source: "x = 'a' * 18\n"}}, ""},
		"a longer text":  {Job{Program: &Program{Source: "x = 'a' * 19\n"}}, "long value"},
		"much source":    {Job{Program: &Program{Source: "#" + strings.Repeat("x", 600) + "\nx = 1\n"}}, "too large a recording"},
		"sleep":          {Job{Program: &Program{Source: "import time\ntime.sleep(100)\n"}}, "time limit"},
		"no UTF-8":       {Job{Program: &Program{Source: "x = '\xff'\n"}}, "syntax error"},
		"no entry":       {Job{Program: &Program{Source: "x = 1\n", Entry: "f()"}}, "the entry is no call that can be made"},
		"no call":        {Job{Program: &Program{Source: "x = 1\n", Entry: "x"}}, "the entry is no call that can be made"},
		"no state":       {Job{Program: &Program{Source: "def f(): pass\n", Entry: "print()"}}, "no state"},
	} {
		r, err := w.Record(t.Context(), c.job)
		got := ""
		if failed := (*Failure)(nil); errors.As(err, &failed) {
			got = failed.Reason
		} else if err != nil {
			t.Fatal(err)
		}
		if got != c.want || (r == nil) == (c.want == "") {
			t.Errorf("%s: %q, %v, want %q", name, got, r, c.want)
		}
	}
}

// TestCancel checks that the end of the context ends the process with its program, and
// that the next job gets another process.
func TestCancel(t *testing.T) {
	w := begin(t, Config{Python: pythons.Any(t), Limits: Limits{Wall: time.Hour, CPU: time.Hour}})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := w.Record(ctx, Job{Program: &Program{Source: "import time\ntime.sleep(1e6)\n"}}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if w.proc != nil {
		t.Fatal("the process is still there")
	}
	if _, err := w.Record(ctx, Job{Program: &Program{Source: "x = 1\n"}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := w.Record(t.Context(), Job{Program: &Program{Source: "x = 1\n"}}); err != nil {
		t.Error(err)
	}
}

// TestDied checks the error for a process that has ended, and that the next job gets
// another process.
func TestDied(t *testing.T) {
	w := begin(t, Config{Python: pythons.Any(t)})
	for range 2 {
		w.proc.kill()
		_, err := w.Record(t.Context(), Job{Program: &Program{Source: "x = 1\n"}})
		if died := (*DiedError)(nil); !errors.As(err, &died) {
			t.Fatal(err)
		}
		if _, err := w.Record(t.Context(), Job{Program: &Program{Source: "x = 1\n"}}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoFiles checks that the process imports nothing from files that a program may have changed.
func TestNoFiles(t *testing.T) {
	tmp := t.TempDir()
	if err := os.Chmod(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	python := pythons.Any(t)
	t.Setenv("HOME", tmp)
	t.Setenv("XDG_CACHE_HOME", tmp)
	t.Setenv("TMPDIR", tmp)
	for _, folder := range []string{filepath.Join(tmp, "npdb", "maker-"+makerHash(), "maker"), filepath.Join(tmp, "maker")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"__init__.py", "worker.py"} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte("raise SystemExit(1)\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Chdir(tmp) // not even from the folder in which npdb runs
	before := filesBelow(t, tmp)
	for range 2 {
		w := begin(t, Config{Python: python, Contain: ContainLimits})
		if said := inWords(t, w, Job{Program: &Program{Source: "import sys\nx = sorted({m.__file__[:7] for n, m in list(sys.modules.items()) if n.split('.')[0] == 'maker'})\n"}}); !strings.Contains(said, "['<npdb>/']") {
			t.Error(said)
		}
		// A new process imports the same.
		w.proc.kill()
		if _, err := w.Record(t.Context(), Job{Program: &Program{Source: "x = 1\n"}}); err == nil {
			t.Error("it does not die")
		}
		if said := inWords(t, w, Job{Program: &Program{Source: "x = 1\n"}}); !strings.Contains(said, "Name:x") {
			t.Error(said)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := filesBelow(t, tmp); !slices.Equal(before, after) {
		t.Errorf("there were %q, now %q", before, after)
	}
}

// filesBelow returns the files of a folder and of those in it.
func filesBelow(t *testing.T, folder string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestRealStays checks that a change of the file of real functions affects only the next worker.
func TestRealStays(t *testing.T) {
	real := filepath.Join(t.TempDir(), "real.jsonl")
	if err := os.WriteFile(real, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := begin(t, Config{Python: pythons.Any(t), Real: real})
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	w.proc.kill()
	_, err := w.Record(t.Context(), Job{Program: &Program{Source: "x = 1\n"}})
	if died := (*DiedError)(nil); !errors.As(err, &died) {
		t.Error(err)
	}
	if _, err := w.Record(t.Context(), Job{Program: &Program{Source: "x = 1\n"}}); err != nil {
		t.Error(err)
	}
}

// TestWrongPython checks that the error for an unsuitable Python names a suitable one.
func TestWrongPython(t *testing.T) {
	python := pythons.Any(t)
	w := &Worker{python: "python3.8"}
	hello := `{"version": "3.8.1 (x)", "exact": false}`
	err := w.introduce(&process{commands: nowhere{}, answers: strings.NewReader(string([]byte{byte(len(hello) + 1), 0, 0, 0, 'H'}) + hello)})
	version := (*VersionError)(nil)
	if !errors.As(err, &version) || version.Error() != "python3.8 is Python 3.8.1: programs are recorded by CPython 3.9 to 3.14" {
		t.Error(err)
	}
	for _, said := range []string{"", "\x00\x00\x00\x00H", "\xff\xff\xff\xffH", "\x01\x00\x00\x00H", "\x03\x00\x00\x00E{}", "\x03\x00\x00\x00H{"} {
		if err := w.introduce(&process{commands: nowhere{}, answers: strings.NewReader(said)}); err == nil {
			t.Errorf("%q is an introduction", said)
		}
	}
	for _, p := range pythons.All(t) {
		if p.Minor >= 12 {
			break
		}
		w := begin(t, Config{Python: p.Path})
		if _, err := w.Record(t.Context(), Job{Seed: "x"}); !errors.As(err, &version) || !version.Records {
			t.Error(err)
		}
	}
	if _, err := Start(t.Context(), Config{Python: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("what is not there starts")
	}
	if _, err := Start(t.Context(), Config{Python: python, Real: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) Close() error                { return nil }
