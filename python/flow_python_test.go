package python

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// flowScript is a Python program. It runs files and prints, for each file, which lines followed
// which: consecutive events in one activation. It stops after 20,000 events of a file. If a file
// ends the process, the next process continues after that file.
const flowScript = `
import collections, io, json, os, runpy, signal, sys
def follow(path, report):
    seen = collections.Counter()
    last = {}
    left = 20_000
    def note(frame, event, arg):
        nonlocal left
        if frame.f_code.co_filename != path:
            return None
        was = last.get(frame)
        code = frame.f_code
        seen[code.co_name, code.co_firstlineno, was, (event, frame.f_lineno)] += 1
        last[frame] = (event, frame.f_lineno)
        left -= 1
        if left == 0:
            sys.settrace(None)
            report(seen)
            os._exit(0)
        return note
    kept = sys.stdout, sys.argv, sys.stdin
    sys.stdout, sys.argv, sys.stdin = io.StringIO(), [path], io.StringIO("1\n2\n")
    sys.settrace(note)
    try:
        runpy.run_path(path, run_name="__main__")
    except BaseException:
        pass
    finally:
        sys.settrace(None)
        sys.stdout, sys.argv, sys.stdin = kept
    report(seen)
def run(paths, told):
    void = os.open(os.devnull, os.O_RDWR)
    os.dup2(void, 1)
    os.dup2(void, 2)
    own = os.getpid()
    def tell(what):
        told.write(json.dumps(what) + "\n")
        told.flush()
    for path in paths:
        def report(seen):
            if os.getpid() != own: # a child that the file made
                os._exit(0)
            tell({"file": path, "moves": [list(k) + [n] for k, n in seen.items() if k[2]]})
        tell(path)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60) # for a file that waits for what does not come
        follow(path, report)
left = sys.argv[1:]
while left:
    given, taken = os.pipe()
    child = os.fork()
    if not child:
        os.close(given)
        run(left, os.fdopen(taken, "w"))
        os._exit(0)
    os.close(taken)
    begun = 0
    with os.fdopen(given) as told:
        for line in told:
            if line.startswith('"'):
                begun += 1
            elif line.endswith("}\n"):
                print(line, end="", flush=True)
    os.waitpid(child, 0)
    if not begun:
        sys.exit("no file was run")
    left = left[begun:]
`

type flowMove struct {
	name          string
	first         int
	was, is       string
	wasLine, line int
	times         int
}

func (m *flowMove) UnmarshalJSON(data []byte) error {
	var was, is [2]json.RawMessage
	if err := json.Unmarshal(data, &[]any{&m.name, &m.first, &was, &is, &m.times}); err != nil {
		return err
	}
	for i, into := range []any{&m.was, &m.wasLine, &m.is, &m.line} {
		if err := json.Unmarshal([][2]json.RawMessage{was, is}[i/2][i%2], into); err != nil {
			return err
		}
	}
	return nil
}

// TestFlowAllowsWhatRuns checks that the flow read from the source allows every sequence of lines
// that CPython runs in real programs.
func TestFlowAllowsWhatRuns(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../examples/*.py", "../trace/testdata/programs/*.py", "../trace/testdata/forms/*.py", "../trace/testdata/stdlib/*.py"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			if file, err = filepath.Abs(file); err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
	}
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			var out, complaints bytes.Buffer
			cmd := exec.Command(p.Path, append([]string{"-I", "-B", "-c", flowScript}, files...)...)
			cmd.Dir = t.TempDir() // the programs write files
			cmd.Stdout, cmd.Stderr = &out, &complaints
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v: %s", err, complaints.String())
			}
			all, made, wrong := 0, 0, 0
			for d := json.NewDecoder(&out); d.More(); {
				var f struct {
					File  string     `json:"file"`
					Moves []flowMove `json:"moves"`
				}
				if err := d.Decode(&f); err != nil {
					t.Fatal(err)
				}
				source, err := os.ReadFile(f.File)
				if err != nil {
					t.Fatal(err)
				}
				flow := ReadFlow(source)
				for _, m := range f.Moves {
					code := flow.named(m.name, m.first)
					all++
					if code == nil {
						made++ // code that the compiler generated without a source line: for annotations and type parameters
						continue
					}
					if !code.allows(m) {
						wrong++
						t.Logf("%s: %s from %s at %d to %s at %d", f.File, m.name, m.was, m.wasLine, m.is, m.line)
					}
				}
			}
			t.Logf("%d moves, %d of them in code without a text, %d not allowed", all, made, wrong)
			if all < 500 || wrong*100 > all || made*20 > all {
				t.Errorf("of %d moves the flow does not allow %d, and knows no code of %d", all, wrong, made)
			}
		})
	}
}

func (f *Flow) named(name string, first int) *Code {
	for _, c := range f.Codes {
		if c.Name == name && (c.Line == first || name == "<module>") {
			return c
		}
	}
	return nil
}

func (c *Code) allows(m flowMove) bool {
	switch {
	case m.is == "line" && m.was == "call":
		return m.wasLine != c.Line || c.Start(m.line) || c.Name == "<module>"
	case m.is == "line" && m.was == "exception":
		return c.Catches(m.line, m.wasLine)
	case m.is == "line" && m.was == "line":
		return c.Follows(m.line, m.wasLine)
	case m.is == "return" && m.was != "exception":
		return c.Leaves(m.line)
	}
	return true
}
