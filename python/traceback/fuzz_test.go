package traceback

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/longtest"
)

// FuzzParse checks that any text is parsed or rejected with a sentence, and that the result is
// sound.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/real/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, trace, err := parse(text)
		if err != nil {
			var problem *Error
			if !errors.As(err, &problem) || problem.Error() == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		checkSteps(t, s, len(text))
		sound(t, trace, len(text))
	})
}

// sound checks that a trace does not contain more than its text of size bytes can.
func sound(t *testing.T, trace *Trace, size int) {
	t.Helper()
	if trace.Found < 1 {
		t.Error("found", trace.Found)
	}
	total := 0
	for one := range trace.All() {
		if one.Cause != nil && one.Context != nil {
			t.Error("a cause and a context")
		}
		total += len(one.Type) + len(one.Message)
		for _, f := range one.Frames {
			total += len(f.File) + len(f.Function) + len(f.Source)
			if f.Line < 0 || f.Repeated < 0 || !strings.Contains(f.Source, f.Marked) {
				t.Errorf("%+v", f)
			}
			for _, l := range f.Locals {
				total += len(l.Repr)
			}
		}
	}
	if total > 4*size+100 {
		t.Error("more text than was read: ", total, " of ", size)
	}
}

// maxSteps limits how often a byte of the text is read, on average, and maxAllocated how many bytes
// are allocated for it. They are not checked under the race detector: there sync.Pool, which
// package regexp uses, drops some of its items.
const (
	maxSteps     = 60
	maxAllocated = 200
)

func checkSteps(t *testing.T, s *scanner, size int) {
	t.Helper()
	if s.steps > maxSteps*(size+100) {
		t.Errorf("%d steps for %d bytes", s.steps, size)
	}
}

// TestJunk checks that the number of steps is linear in the size of the text. The texts are 5 MB of
// meaningless lines, of parts of tracebacks and of single characters, and 32 KB of each part, alone
// and below the first lines of each form.
func TestJunk(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		"Traceback (most recent call last):\n", "  File \"a.py\", line 3, in f\n", "    x = 1\n", "ValueError: x\n", "E   ValueError: x\n", "\n",
		"  + Exception Group Traceback (most recent call last):\n", "  | ", "  +-+---------------- 1 ----------------\n", "    | ",
		"During handling of the above exception, another exception occurred:\n", "____ test ____\n", "a.py:3: in f\n", ">       x\n", "_ _ _ _ _ _ _ _ _ _\n",
		"╭── Traceback (most recent call last) ──╮\n", "│ a.py:3 in f │\n", "│ ╭─ locals ─╮ │\n", "│ │ x = [ │ │\n", "Cell In[3], line 3\n", "----> 3 x\n",
		"KeyError      Traceback (most recent call last)\n", "Thread 0x7f (most recent call first):\n", "web_1  | ", "a.py:3: KeyError\n", "x          = (\n",
		"  [Previous line repeated 3 more times]\n", "    ~~~^^^\n", "    name = 'val\n", "\"\"\"\n", "12:00 ", "    ", "Failed example:\n",
	}
	junk := map[string]func(b *strings.Builder){
		"lines":      func(b *strings.Builder) { b.WriteString(strings.Repeat("a", random.IntN(100)) + "\n") },
		"pieces":     func(b *strings.Builder) { b.WriteString(pieces[random.IntN(len(pieces))]) },
		"characters": func(b *strings.Builder) { b.WriteByte("\n\n  \t|+-:\"'([{>E_\x1b\\"[random.IntN(19)]) },
	}
	opening := map[string]string{
		"header":     "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x = 1\n",
		"value":      "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x = 1\n    name = 'val\n",
		"pytest":     "____ test ____\n\n>       f(a)\n\na          = [\n",
		"short":      "____ test ____\na.py:3: in f\n    f(a)\n        a          = [\n",
		"rich":       "╭── Traceback (most recent call last) ──╮\n│ a.py:3 in f │\n│ ╭─ locals ─╮ │\n│ │ x = [ │ │\n",
		"group":      "  + Exception Group Traceback (most recent call last):\n  |   File \"a.py\", line 3, in f\n  | E: 1\n  +-+---------------- 1 ----------------\n",
		"Cell In[3]": "KeyError      Traceback (most recent call last)\nCell In[3], line 3\n",
	}
	pieces = append(pieces, "│ │ │   1, │ │\n", "│ │ ) │ │\n", "│ │ 'a… │ │\n", "       [3, 4],\n", "        b          = 1\n", "    │ └ 3\n")
	for _, piece := range pieces {
		junk[piece] = func(b *strings.Builder) { b.WriteString(piece) }
		for name, start := range opening {
			junk[name+" and "+piece] = func(b *strings.Builder) {
				if b.Len() == 0 {
					b.WriteString(start)
				}
				b.WriteString(piece)
			}
		}
	}
	for name, add := range junk {
		var b strings.Builder
		size := 32 << 10
		if name == "lines" || name == "pieces" || name == "characters" {
			size = 5 << 20
		}
		if longtest.Race { // which takes ten times as long; the parser has one goroutine
			size /= 8
		}
		for b.Len() < size {
			add(&b)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, trace, err := parse(b.String())
		runtime.ReadMemStats(&after)
		checkSteps(t, s, b.Len())
		if allocated := after.TotalAlloc - before.TotalAlloc; !longtest.Race && allocated > maxAllocated*uint64(b.Len()) {
			t.Errorf("%d bytes allocated for %d", allocated, b.Len())
		}
		if err == nil {
			sound(t, trace, b.Len())
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestLimits checks the Problem for texts that are not tracebacks.
func TestLimits(t *testing.T) {
	for text, want := range map[string]Problem{
		"":                             Empty,
		" \r\n\t\n":                    Empty,
		strings.Repeat("x", MaxSize+1): TooLarge,
		"Traceback (most recent call last):\nKeyError: 1\n": NoPlace,
		"cc1: error in File foo.c:12\n":                     NoTraceback,
		"hello\nworld\n":                                    NoTraceback,
		"Traceback (most recent call last):":                NoTraceback,
		"panic: runtime error\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/x.go:3 +0x1d\n": NoTraceback,
		"ValueError: bad\n":                          NoPlace,
		"ERROR:root:failed\nNoneType: None\n":        NoTraceback,
		"a.py:3: DeprecationWarning: old\n  old()\n": NoTraceback,
		"___ ERROR at setup of test_a ___\nfile /t.py, line 1\n  def test_a(nope):\nE       fixture 'nope' not found\n>       available: x\n\n/t.py:1\n": NoTraceback,
		"FAILED test_a.py::test_b - KeyError: 'x'\n":                                                         NoPlace,
		"Traceback (most recent call last):\n  File \"/usr/lib/python2.7/os.py\", line 3, in f\nKeyError: 1": PythonTwo,
	} {
		_, err := Parse(text)
		var problem *Error
		if !errors.As(err, &problem) || problem.Problem != want {
			t.Errorf("%.60q: %v", text, err)
		}
	}
}
