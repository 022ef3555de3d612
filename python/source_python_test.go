package python

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// witnessScript is a Python program. For each file named on standard input it prints a line of JSON
// with what the interpreter's own compiler finds. Its argument is the folder of outline.py.
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

// witnessed is the output of witnessScript for one file.
type witnessed struct {
	File      string   `json:"file"`
	Lines     []int    `json:"lines"`
	Functions [][5]any `json:"functions"`
	First     int      `json:"first"`
}

// witness runs witnessScript on files. If stdlib is not 0, it runs the script on that number of
// files of the interpreter's standard library instead.
func witness(t testing.TB, python string, files []string, stdlib int) []witnessed {
	t.Helper()
	args := []string{"-I", "-B", "-c", witnessScript, "testdata"}
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

// agreement counts how often Read and an interpreter agree.
type agreement struct {
	files, firsts            int
	lines, missing, extra    int
	functions, exact, bodies int
	differences              []string // the first few
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

func (a *agreement) recall() float64    { return percent(a.lines-a.missing, a.lines) }
func (a *agreement) precision() float64 { return percent(a.lines-a.missing, a.lines-a.missing+a.extra) }

func (a *agreement) String() string {
	return fmt.Sprintf("%d files, first line %.2f%%; %d lines, recall %.3f%%, precision %.3f%%; %d functions, exact %.3f%%, body line %.3f%%",
		a.files, percent(a.firsts, a.files), a.lines, a.recall(), a.precision(),
		a.functions, percent(a.exact, a.functions), percent(a.bodies, a.functions))
}

func (a *agreement) differs(file string, line int, what string) {
	if len(a.differences) < 20 {
		a.differences = append(a.differences, fmt.Sprintf("%s:%d: %s", file, line, what))
	}
}

func (a *agreement) add(t *testing.T, w witnessed) {
	source, err := os.ReadFile(w.File)
	if err != nil {
		t.Fatal(err)
	}
	s := Read(source)
	a.files++
	if s.First() == w.First {
		a.firsts++
	} else {
		a.differs(w.File, w.First, fmt.Sprintf("first line, not %d", s.First()))
	}
	a.lines += len(w.Lines)
	for _, line := range w.Lines {
		if _, ok := slices.BinarySearch(s.executable, line); !ok {
			a.missing++
			a.differs(w.File, line, "missing")
		}
	}
	for _, line := range s.executable {
		if _, ok := slices.BinarySearch(w.Lines, line); !ok {
			a.extra++
			a.differs(w.File, line, "not executable")
		}
	}
	got := map[Function]int{}
	for _, f := range s.functions {
		body := f.BodyLine
		f.BodyLine = 0
		got[f.Function] = body
	}
	a.functions += max(len(w.Functions), len(s.functions))
	for _, f := range w.Functions {
		number := func(i int) int { return int(f[i].(float64)) }
		key := Function{Name: f[0].(string), QualName: f[1].(string), Line: number(2), EndLine: number(4)}
		body, ok := got[key]
		switch {
		case !ok:
			a.differs(w.File, key.Line, "no function "+key.QualName)
			continue
		case body == number(3):
			a.bodies++
		default:
			a.differs(w.File, number(3), fmt.Sprintf("body of %s, not %d", key.QualName, body))
		}
		a.exact++
	}
}

// stdlibFiles returns how many files of each interpreter's standard library are compared.
// NPDB_OUTLINE_FILES sets another number.
func stdlibFiles(t *testing.T) int {
	text := os.Getenv("NPDB_OUTLINE_FILES")
	if text == "" {
		return 40
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestReadAgreesWithCompiler(t *testing.T) {
	interpreters := pythons.Between(t, 10, 15)
	var samples []string
	for _, pattern := range []string{"../python/testdata/outline/*.py", "testdata/programs/*.py", "testdata/stdlib/*.py"} {
		found, err := filepath.Glob(filepath.Join("..", "trace", pattern))
		if err != nil || len(found) < 10 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		samples = append(samples, found...)
	}
	for _, python := range interpreters {
		for name, stdlib := range map[string]int{"samples": 0, "standard library": stdlibFiles(t)} {
			if python.Wasm && stdlib > 0 {
				continue // its library is a zip file
			}
			t.Run(python.String()+" "+name, func(t *testing.T) {
				t.Parallel()
				var a agreement
				for _, w := range witness(t, python.Path, samples, stdlib) {
					a.add(t, w)
				}
				t.Log(&a)
				for _, text := range a.differences {
					t.Log(text)
				}
				// Over all files of the library the agreement is above 99.99%, but versions differ.
				// 3.10 has an event on the first line of a file that contains only comments. 3.14
				// has an event on each line of a long list of constants, and none on constant
				// defaults: 99.72% and 99.80% over its whole library.
				least := 99.8
				if python.Minor >= 14 {
					least = 99.5
				}
				if a.files < 30 || a.recall() < least || a.precision() < least || percent(a.exact, a.functions) < 99.9 ||
					percent(a.bodies, a.functions) < 99 || percent(a.firsts, a.files) < 97 {
					t.Error("Read agrees too little with the compiler")
				}
			})
		}
	}
}
