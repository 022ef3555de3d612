package breakpoint

import (
	"os"
	"strings"
	"testing"

	"github.com/npdb/npdb/python"
)

// at returns a breakpoint on a line of a text, or on the function whose body begins there.
func at(text string, line int, function string) *Breakpoint {
	return &Breakpoint{Number: 1, File: "/a.py", Line: line, Function: function, Enabled: true, Anchor: AnchorAt(strings.Split(text, "\n"), line)}
}

func TestRelocate(t *testing.T) {
	const was = "import os\n\ndef area(w, h):\n    size = w * h\n    return size\n\ndef show(n):\n    print(n)\n    print('done')\n\nshow(area(2, 3))\n"
	edit := func(old, new string) string {
		if !strings.Contains(was, old) {
			t.Fatalf("%q is not in the text", old)
		}
		return strings.Replace(was, old, new, 1)
	}
	for _, tt := range []struct {
		name     string
		line     int
		function string
		now      string
		want     int // 0 if it is disabled
		say      string
	}{
		{"unchanged", 4, "", was, 4, ""},
		{"lines before it", 4, "", "# top\n" + was, 5, "Breakpoint 1 moved with its line from /a.py:4 to line 5"},
		{"its line was edited", 4, "", edit("w * h", "w * h + 1"), 4, `Breakpoint 1 at /a.py:4 stays there: its line was edited and reads "size = w * h + 1" now`},
		{"its line was edited below new ones", 4, "", "# top\n\n" + edit("size = w * h", "size = abs(w) * h"), 6, `Breakpoint 1 at /a.py:4 moved to line 6, which stands in its place: its line "size = w * h" was edited`},
		{"its line was rewritten", 8, "", edit("    print(n)\n", "    sys.stdout.write(str(n))\n"), 8, `reads "sys.stdout.write(str(n))" now`},
		{"a new line beside the edited one", 4, "", edit("    size = w * h\n", "    assert w\n    size = w * h * 1\n"), 5, "moved to line 5"},
		{"its line was deleted", 9, "", edit("    print('done')\n", ""), 0, `is disabled: its line "print('done')" and the lines around it are gone`},
		{"all is new", 4, "", "x = 1\ny = 2\n", 0, "is disabled"},
		{"a function's first line was edited", 4, "area", edit("w * h", "h * w * 1"), 4, "reads"},
		{"a function's first line is new", 4, "area", edit("    size", "    print(w)\n    size"), 4, `reads "print(w)" now`},
		{"a function moved", 8, "show", "import sys\n" + edit("print(n)", "print(n, n)"), 9, "Breakpoint 1 at /a.py:8 moved to line 9, the first line of show"},
		{"a function moved below another", 4, "area", edit("import os\n", "import os\n\ndef size(a):\n    return a\n"), 7, "the first line of area"},
		{"a function is gone", 4, "area", edit("def area", "def surface"), 0, "is disabled: the function area is gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := at(was, tt.line, tt.function)
			read := func(string) (Text, error) {
				return Text{strings.Split(tt.now, "\n"), python.Read([]byte(tt.now)).Outline()}, nil
			}
			words := strings.Join(Relocate([]*Breakpoint{b}, read), "\n")
			if b.Enabled != (tt.want > 0) || tt.want > 0 && b.Line != tt.want || !strings.Contains(words, tt.say) || tt.say == "" && tt.name == "unchanged" && words != "" {
				t.Errorf("%+v, said %q, want line %d and %q", b, words, tt.want, tt.say)
			}
			if again := Relocate([]*Breakpoint{b}, read); again != nil {
				t.Errorf("again, of the same text: %q", again)
			}
		})
	}
	gone := at(was, 4, "")
	if words := Relocate([]*Breakpoint{gone}, func(string) (Text, error) { return Text{}, os.ErrNotExist }); gone.Enabled || len(words) != 1 {
		t.Errorf("a file that is gone: %+v, %q", gone, words)
	}
}

// TestRelocateMethods checks that among functions with the same name the breakpoint stays
// with its own.
func TestRelocateMethods(t *testing.T) {
	const was = "class A:\n    def run(self):\n        x = 1\n        return x\n\nclass B:\n    def run(self):\n        y = 1\n        return y\n"
	now := "import os\n\n\n\n\n" + strings.Replace(was, "        y = 1\n", "        z = 1\n        y = 1\n", 1)
	b := at(was, 8, "run")
	Relocate([]*Breakpoint{b}, func(string) (Text, error) {
		return Text{strings.Split(now, "\n"), python.Read([]byte(now)).Outline()}, nil
	})
	if b.Line != 13 || !b.Enabled {
		t.Errorf("%+v", b)
	}
}
