//go:build unix

package trace_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// program is a Python program of testdata, with the information in its header.
type program struct {
	name       string
	path       string // absolute
	repository string // OWNER+NAME, of a public script
	from       int    // the first 3.x that can run it
	tags       []string
	stdin      string
	user       []string // modules whose files count as user code
	reprs      trace.Reprs
	// computed says that the texts that npdb evaluates are compared with the true ones.
	computed bool
}

// The tags of a "# conformance:" line.
const (
	tagNoLocals   = "nolocals"   // values depend on the observer: they are not compared
	tagAddresses  = "addresses"  // values contain addresses or process numbers: digits are masked
	tagHistory    = "history"    // values depend on earlier observations: they are compared in the whole list only
	tagHangs      = "hangs"      // a __repr__ never returns
	tagRecursion  = "recursion"  // it reaches the recursion limit, where depends on the tracer
	tagLifetimes  = "lifetimes"  // bdb keeps the latest frame alive: no walks with bdb
	tagBreakpoint = "breakpoint" // the program calls the debugger: moves stop early
	tagEndless    = "endless"    // it has no end
)

func (p program) has(tag string) bool { return slices.Contains(p.tags, tag) }

var headerLine = regexp.MustCompile(`(?m)^# (python: >=3\.|conformance: |stdin: |user: )([^\r\n]*)`)

// readProgram reads the header of a program.
func readProgram(t testing.TB, name, path string) program {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	path, err = filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	p := program{name: name, path: path, from: 9}
	for _, m := range headerLine.FindAllStringSubmatch(string(text), -1) {
		switch key, value := m[1], m[2]; key {
		case "conformance: ":
			p.tags = strings.Fields(value)
		case "user: ":
			p.user = strings.Fields(value)
		case "stdin: ":
			err = json.Unmarshal([]byte(value), &p.stdin)
		default:
			p.from, err = strconv.Atoi(value)
		}
		if err != nil {
			t.Fatalf("%s: header %q: %v", name, m[0], err)
		}
	}
	return p
}

// readPrograms reads the programs of a folder of testdata: its files, and the
// main.py of each of its folders.
func readPrograms(t testing.TB, folder string) []program {
	t.Helper()
	var programs []program
	for _, pattern := range []string{"*.py", "*/main.py"} {
		paths, err := filepath.Glob(filepath.Join("testdata", folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name, err := filepath.Rel(filepath.Join("testdata", folder), path)
			if err != nil {
				t.Fatal(err)
			}
			programs = append(programs, readProgram(t, strings.TrimSuffix(filepath.ToSlash(name), ".py"), path))
		}
	}
	if len(programs) == 0 {
		t.Fatalf("testdata/%s holds no program", folder)
	}
	return programs
}

// job is a request to the witness; see testdata/witness.py.
type job struct {
	Program  string   `json:"program"`
	Mode     string   `json:"mode"` // "walk", "flat" or "frames"
	Seed     int      `json:"seed"`
	Moves    int      `json:"moves"`
	Script   *string  `json:"script,omitempty"`
	Cautious bool     `json:"cautious"`
	User     []string `json:"user,omitempty"`
	Stdin    string   `json:"stdin"`
	Locals   bool     `json:"locals"`
	Reprs    string   `json:"reprs,omitempty"`
	Limit    int      `json:"limit"`
	All      int      `json:"all,omitempty"`    // in mode frames: the number of first events for which all frames are read,
	OneIn    int      `json:"one_in,omitempty"` // and afterwards one in this many, at random
}

// witnessed is one line of the witness's output.
type witnessed struct {
	Action   string              `json:"action"`
	Event    string              `json:"event"`
	Kind     string              `json:"kind"`
	File     string              `json:"file"`
	Line     int                 `json:"line"`
	Function string              `json:"function"`
	Depth    int                 `json:"depth"`
	Locals   [][]json.RawMessage `json:"locals"`
	Value    *string             `json:"value"`
	Act      int                 `json:"act"`
	Suspends bool                `json:"suspends"`
	Frames   []json.RawMessage   `json:"frames"`
	Lines    []int               `json:"lines"` // of frames
	Paths    []path              `json:"paths"`
	Slot     *slot               `json:"slot"`

	End       bool    `json:"end"`
	Code      int     `json:"code"`
	Exception *string `json:"exception"`

	Stopped bool     `json:"stopped"`
	User    []string `json:"user"`
	Job     *int     `json:"job"`
	Status  int      `json:"status"`
	Error   string   `json:"error"`
}

// slot is the place of a line in the basic blocks of its file, as lab/dataset/check/rerun/blocks.py
// finds them.
type slot struct {
	block, statement int
	again            string // whether a line of the statement may follow another: never, forward or any
}

// UnmarshalJSON reads the three fields of a slot, a list.
func (s *slot) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.block, &s.statement, &s.again})
}

// testimony is the witness's result for one job.
type testimony struct {
	user    []string    // files of the job's modules
	stops   []witnessed // in order
	end     *witnessed  // nil if the program did not reach its own end
	stopped bool        // the moves or the limit were used up
	status  syscall.WaitStatus
}

// exitCode returns the program's exit status, negative for the signal that killed it.
func (w testimony) exitCode() int {
	switch {
	case w.end != nil:
		return w.end.Code
	case w.status.Signaled():
		return -int(w.status.Signal())
	default:
		return w.status.ExitStatus()
	}
}

// testimonies returns a function that returns the answers to jobs[from:to]. An interpreter that can
// fork answers all jobs first.
func testimonies(t testing.TB, python pythons.Python, jobs []job) func(t testing.TB, from, to int) []testimony {
	t.Helper()
	if python.Wasm {
		return func(t testing.TB, from, to int) []testimony { return testify(t, python, jobs[from:to]) }
	}
	all := testify(t, python, jobs)
	return func(_ testing.TB, from, to int) []testimony { return all[from:to] }
}

// testify runs jobs under the witness, all in one process of the interpreter if that can fork.
func testify(t testing.TB, python pythons.Python, jobs []job) (all []testimony) {
	t.Helper()
	if !python.Wasm {
		return testifyIn(t, python, jobs)
	}
	for _, j := range jobs {
		all = append(all, testifyIn(t, python, []job{j})...)
	}
	return all
}

// testifyIn runs jobs under the witness in one process of the interpreter.
func testifyIn(t testing.TB, python pythons.Python, jobs []job) []testimony {
	t.Helper()
	render, err := filepath.Abs("tracer")
	if err != nil {
		t.Fatal(err)
	}
	var in, stderr bytes.Buffer
	for _, j := range jobs {
		line, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.CommandContext(t.Context(), python.Path, filepath.Join("testdata", "witness.py"), render)
	cmd.Stdin = &in
	cmd.Stderr = &stderr
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.Output()
	if err != nil && !python.Wasm { // there the program ends the process
		t.Fatalf("witness on %v: %v\n%s", python, err, stderr.Bytes())
	}
	var all []testimony
	var now testimony
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		var w witnessed
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			t.Fatalf("witness on %v: %v in %q", python, err, lines.Text())
		}
		switch {
		case w.Error != "":
			t.Fatalf("witness on %v, %s: %s", python, jobs[len(all)].Program, w.Error)
		case w.Job != nil:
			now.status = syscall.WaitStatus(w.Status)
			all = append(all, now)
			now = testimony{}
		case w.Event != "":
			now.stops = append(now.stops, w)
		case w.End:
			now.end = &w
		case w.Stopped:
			now.stopped = true
		default:
			now.user = w.User
		}
	}
	if python.Wasm {
		now.status = cmd.ProcessState.Sys().(syscall.WaitStatus)
		all = append(all, now)
	}
	if len(all) != len(jobs) {
		t.Fatalf("witness on %v answered %d of %d jobs\n%s", python, len(all), len(jobs), stderr.Bytes())
	}
	return all
}
