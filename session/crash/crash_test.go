package crash

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const program = `def f(n):
    return 1 / n


def g():
    f(0)
`

// folder makes a folder with a program in src/prog.py.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "prog.py"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRead(t *testing.T) {
	const head, tail = "Traceback (most recent call last):\n", "ZeroDivisionError: division by zero\n"
	const assumed = "A traceback does not show an exception's arguments: ZeroDivisionError('division by zero') is assumed."
	frame := func(file string, line, function, source string) string {
		return `  File "` + file + `", line ` + line + ", in " + function + "\n    " + source + "\n"
	}
	inF, inG := frame("src/prog.py", "2", "f", "return 1 / n"), frame("src/prog.py", "6", "g", "f(0)")
	for _, c := range []struct {
		name, text string
		maps       []Map
		want       string // the beginning as JSON, with FILE for the program
		notices    string
		fails      string
	}{
		{
			name: "two frames", text: head + inG + inF + tail,
			want:    `{"raised":"ZeroDivisionError('division by zero')","frames":[{"file":"FILE","function":"g","line":6},{"file":"FILE","function":"f","line":2}]}`,
			notices: assumed,
		},
		{
			name: "the end of a path", text: head + frame("/app/src/prog.py", "2", "f", "return 1 / n") + tail,
			want: `{"raised":"ZeroDivisionError('division by zero')","frames":[{"file":"FILE","function":"f","line":2}]}`, notices: assumed,
		},
		{
			name: "a mapped path", text: head + frame("/app/lib/prog.py", "2", "f", "return 1 / n") + tail, maps: []Map{{"/app/lib", "src"}},
			want: `{"raised":"ZeroDivisionError('division by zero')","frames":[{"file":"FILE","function":"f","line":2}]}`, notices: assumed,
		},
		{
			name: "the frames of libraries are left out", text: head + inF + frame("/usr/lib/python3.12/json/decoder.py", "9", "decode", "raise") + "KeyError: 'a'\n",
			want: `{"raised":"KeyError('a')","frames":[{"file":"FILE","function":"f","line":2}]}`,
		},
		{
			name: "the file has changed", text: head + frame("src/prog.py", "2", "f", "return 2 / n") + "ValueError\n",
			want:    `{"raised":"ValueError()","frames":[{"file":"FILE","function":"f","line":2}]}`,
			notices: "Line 2 of FILE is not the line of the traceback: return 2 / n. The file has changed since.",
		},
		{
			name: "the file of a caller has changed", text: head + frame("src/prog.py", "5", "g", "f(0)") + frame("src/prog.py", "77", "h", "f(0)") + inF + "ValueError\n",
			want: `{"raised":"ValueError()","frames":[{"file":"FILE","function":"g","line":5},{"file":"FILE","function":"h","line":77},{"file":"FILE","function":"f","line":2}]}`,
			notices: "Line 5 of FILE is not the line of the traceback: f(0). The file has changed since.\n" +
				"FILE has no line 77, where h was: it has changed since the traceback was printed.",
		},
		{
			name: "a message that is not UTF-8", text: head + inF + "KeyError: b\xe9\xff\n",
			want:    `{"raised":"KeyError(b\\xe9\\xff)","frames":[{"file":"FILE","function":"f","line":2}]}`,
			notices: `The traceback is not UTF-8; its other bytes are written as \xNN.`,
		},
		{
			name: "the cause is told", text: head + inF + "KeyError: 'a'\n\nThe above exception was the direct cause of the following exception:\n\n" + head + inG + "ValueError\n",
			want:    `{"raised":"ValueError()","frames":[{"file":"FILE","function":"g","line":6}]}`,
			notices: "Its cause: KeyError: 'a', at prog.py:2.",
		},
		{name: "no such line", text: head + frame("src/prog.py", "99", "f", "x") + tail, fails: "FILE has no line 99: it has changed since the traceback was printed, or --map names the wrong folder"},
		{name: "no such file", text: head + frame("/gone/other.py", "2", "f", "x") + tail, fails: "/gone/other.py is not found below DIR: run npdb in the program's folder, or name it with --map FROM=TO"},
		{
			name: "no file of the program", text: head + frame("<string>", "1", "<module>", "x") + tail,
			fails: "<string> is not found below DIR: run npdb in the program's folder, or name it with --map FROM=TO",
		},
		{
			name: "a syntax error", text: "  File \"src/prog.py\", line 2\n    return 1 /\n              ^\nSyntaxError: invalid syntax\n",
			fails: "the traceback is of a SyntaxError: src/prog.py did not run, so there is no state to begin at",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t)
			file := filepath.Join(dir, "src", "prog.py")
			plain := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, file, "FILE"), dir, "DIR") }
			s, err := Finder{Dir: dir, Maps: c.maps}.Read(c.text)
			if c.fails != "" {
				if err == nil || plain(err.Error()) != c.fails {
					t.Errorf("the error is %v\nwant %s", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, _ := json.Marshal(s.Begin)
			if plain(string(got)) != c.want || s.Script != file {
				t.Errorf("%s\nwant %s", plain(string(got)), c.want)
			}
			if said := plain(strings.Join(s.Notices, "\n")); said != c.notices {
				t.Errorf("it says %q\nwant    %q", said, c.notices)
			}
		})
	}
}

func TestParseMap(t *testing.T) {
	if m, err := ParseMap("/app=src=x"); err != nil || m != (Map{"/app", "src=x"}) {
		t.Errorf("%v, %v", m, err)
	}
	for _, text := range []string{"", "x", "=src"} {
		if _, err := ParseMap(text); err == nil {
			t.Errorf("%q is a map", text)
		}
	}
}
