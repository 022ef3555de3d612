package python

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// witnessScript prints a line of JSON for each file named on standard input: what
// an interpreter's own compiler makes of it. Its argument is the folder of
// outline.py.
const witnessScript = `
import inspect, json, sys, sysconfig, glob, os, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
import outline
files = sys.stdin.read().split("\n")
if sys.argv[2:]:
    every = sorted(glob.glob(os.path.join(sysconfig.get_path("stdlib"), "**", "*.py"), recursive=True))
    every = [f for f in every if "site-packages" not in f and "/test/data/" not in f and "lib2to3/tests" not in f]
    files = every[::max(1, len(every) // int(sys.argv[2]))]
for file in files:
    with open(file, "rb") as f:
        source = f.read()
    try:
        lines, functions = outline.outline(source, file)
        code = compile(source, file, "exec", dont_inherit=True)
    except (outline.Unparsable, RecursionError):
        continue
    first = next((line for line in outline._lines(code) if line in lines), 0)
    print(json.dumps({"file": file, "lines": lines, "functions": functions, "first": first}))
`

// witnessed is what witnessScript prints of a file.
type witnessed struct {
	File      string   `json:"file"`
	Lines     []int    `json:"lines"`
	Functions [][5]any `json:"functions"`
	First     int      `json:"first"`
}

// pythons are the interpreters from 3.10 to 3.13 under their usual names.
var pythons = sync.OnceValue(func() []string {
	var found []string
	for minor := 10; minor <= 13; minor++ {
		name := fmt.Sprintf("python3.%d", minor)
		if err := exec.Command(name, "-I", "-S", "-c", "import ast").Run(); err == nil {
			found = append(found, name)
		}
	}
	return found
})

// witness asks an interpreter about files, or, with a number, about so many of its
// standard library.
func witness(t testing.TB, python string, files []string, stdlib int) []witnessed {
	t.Helper()
	args := []string{"-I", "-c", witnessScript, filepath.Join("..", "trace", "recorded", "python")}
	if stdlib > 0 {
		args = append(args, fmt.Sprint(stdlib))
	}
	cmd := exec.Command(python, args...)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var found []witnessed
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		var w witnessed
		if err := json.Unmarshal(scanner.Bytes(), &w); err != nil {
			t.Fatal(err)
		}
		found = append(found, w)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return found
}

// agreement counts how far Read agrees with an interpreter.
type agreement struct {
	files, lines, missing, extra     int
	functions, exact, bodies, firsts int
}

func (a agreement) String() string {
	percent := func(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
	return fmt.Sprintf("%d files: lines recall %.3f%% precision %.3f%%; %d functions, exact %.3f%%, body line %.3f%%; first line %.2f%%",
		a.files, percent(a.lines-a.missing, a.lines), percent(a.lines-a.missing, a.lines-a.missing+a.extra),
		a.functions, percent(a.exact, a.functions), percent(a.bodies, a.functions), percent(a.firsts, a.files))
}

func (a *agreement) add(t testing.TB, w witnessed) {
	source, err := os.ReadFile(w.File)
	if err != nil {
		t.Fatal(err)
	}
	s := Read(source)
	verbose := os.Getenv("NPDB_OUTLINE_DIFF") != ""
	show := func(what string, line int) {
		if verbose && line > 0 && line <= len(s.lines) {
			fmt.Printf("%s %s:%d: %s\n", what, w.File, line, s.lines[line-1])
		}
	}
	a.files++
	a.lines += len(w.Lines)
	for _, line := range w.Lines {
		if _, ok := slices.BinarySearch(s.executable, line); !ok {
			a.missing++
			show("missing", line)
		}
	}
	for _, line := range s.executable {
		if _, ok := slices.BinarySearch(w.Lines, line); !ok {
			a.extra++
			show("extra", line)
		}
	}
	if s.First() == w.First {
		a.firsts++
	} else {
		show(fmt.Sprintf("first %d not", s.First()), w.First)
	}
	type key struct {
		name      string
		line, end int
	}
	got := map[key]int{}
	for _, f := range s.functions {
		got[key{f.QualName, f.Line, f.EndLine}] = f.BodyLine
	}
	for _, f := range w.Functions {
		a.functions++
		k := key{f[1].(string), int(f[2].(float64)), int(f[4].(float64))}
		body, ok := got[k]
		if !ok {
			show(fmt.Sprint("function ", k), k.line)
			continue
		}
		a.exact++
		if body == int(f[3].(float64)) {
			a.bodies++
		} else {
			show(fmt.Sprint("body ", k, " is ", body, " want ", f[3]), body)
		}
	}
	if n := len(s.functions) - len(w.Functions); n > 0 {
		a.functions += n // made up
		show("made up functions", 1)
	}
}

func TestReadAgreesWithCompiler(t *testing.T) {
	if len(pythons()) == 0 {
		t.Skip("no python3.10 to python3.13 on PATH")
	}
	var samples []string
	for _, pattern := range []string{"recorded/testdata/outline/*.py", "testdata/programs/*.py", "testdata/stdlib/*.py"} {
		found, err := filepath.Glob(filepath.Join("..", "trace", pattern))
		if err != nil || len(found) < 10 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		samples = append(samples, found...)
	}
	stdlib := 60
	if n := os.Getenv("NPDB_OUTLINE_FILES"); n != "" {
		fmt.Sscan(n, &stdlib)
	}
	for _, python := range pythons() {
		t.Run(python, func(t *testing.T) {
			t.Parallel()
			for name, found := range map[string][]witnessed{
				"samples":          witness(t, python, samples, 0),
				"standard library": witness(t, python, nil, stdlib),
			} {
				var a agreement
				for _, w := range found {
					a.add(t, w)
				}
				t.Logf("%s: %v", name, a)
			}
		})
	}
}
