//go:build unix

package session_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

// pdbPrograms are programs without generators for walks with pdb and npdb.
var pdbPrograms = []string{
	"class_bodies", "decorators", "finally_nested", "multiline", "recursion_mutual", "several", "lambdas",
}

// severalCalls has nested calls, and a function that fails now and then.
const severalCalls = `def leaf(n):
    if n % 3 == 0:
        raise ValueError(n)
    return n * 2

def middle(n):
    total = 0
    for i in range(n):
        try:
            total += leaf(i) + leaf(i + 1)
        except ValueError:
            total -= 1
    return total

def outer(n):
    if n == 0:
        return middle(4)
    got = outer(n - 1) + max([1, n], key=lambda m: leaf(m * 3 + 1))
    return got

first = outer(2)
second = [middle(k) for k in (1, 2)]
third = middle(2) + outer(1)
`

// pdbWalk is the number of commands of a walk.
const pdbWalk = 60

// TestLikePdb walks through programs with random commands, with pdb and with npdb: the
// stops, and the lists of breakpoints with their hits, must be the same until pdb's run
// ends. NPDB_WALKS requests more walks.
func TestLikePdb(t *testing.T) {
	walks := uint64(1)
	if longtest.Asked(t) {
		walks = 20
	}
	for _, interpreter := range pythons.All(t) {
		t.Run(interpreter.String(), func(t *testing.T) {
			t.Parallel()
			stops := 0
			for _, name := range pdbPrograms {
				source := []byte(severalCalls)
				if name != "several" {
					var err error
					if source, err = os.ReadFile(filepath.Join("..", "trace", "testdata", "programs", name+".py")); err != nil {
						t.Fatal(err)
					}
				}
				for seed := range walks {
					stops += likePdb(t, interpreter, name, source, seed)
				}
			}
			if stops < 25*len(pdbPrograms) {
				t.Errorf("only %d stops were compared", stops)
			}
		})
	}
}

// likePdb makes one walk and returns the number of compared stops.
func likePdb(t *testing.T, interpreter pythons.Python, name string, source []byte, seed uint64) int {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".py")
	if err := os.WriteFile(path, source, 0o600); err != nil {
		t.Fatal(err)
	}
	text := python.Read(source)
	lines := slices.DeleteFunc(slices.Clone(text.Outline().Executable), func(line int) bool { // pdb refuses these
		return strings.HasPrefix(strings.TrimSpace(text.Lines()[line-1]), `"`)
	})
	commands := pdbCommands(lines, seed)
	want := answersOfPdb(t, interpreter, path, commands)
	got := answersOfNpdb(t, interpreter, path, commands)
	for i := range want {
		if i == len(got) || want[i] != got[i] {
			got = append(got, "the end")
			t.Errorf("%s, seed %d: %q after %q, at %s\npdb:\n%s\nnpdb:\n%s", name, seed, commands[i], commands[:i], want[max(i-2, 0)], want[i], got[i])
			return i
		}
	}
	return len(want)
}

// pdbCommands returns a random walk that lists the breakpoints after each command.
func pdbCommands(lines []int, seed uint64) []string {
	random := rand.New(rand.NewPCG(seed, uint64(len(lines))))
	line := func() int { return lines[random.IntN(len(lines))] }
	number := 0
	var out []string
	for range pdbWalk {
		command := ""
		switch random.IntN(16) {
		case 0, 1:
			number++
			command = fmt.Sprintf("%s %d%s", []string{"b", "b", "tbreak"}[random.IntN(3)], line(), []string{"", "", ", True", ", 0", ", npdb_absent"}[random.IntN(5)])
		case 2:
			command = fmt.Sprintf("%s %d%s", []string{"ignore", "condition"}[random.IntN(2)], 1+random.IntN(number+1), []string{"", " 1", " 2"}[random.IntN(3)])
		case 3:
			command = fmt.Sprintf("%s %d", []string{"disable", "enable", "clear"}[random.IntN(3)], 1+random.IntN(number+1))
		case 4:
			command = []string{"until", fmt.Sprintf("until %d", line())}[random.IntN(2)]
		case 5:
			command = []string{"c", "r"}[random.IntN(2)]
		case 6, 7, 8, 9, 10:
			command = "s"
		default:
			command = "n"
		}
		out = append(out, command, "b")
	}
	return out
}

// stopped matches the place where a debugger stops, in its answer.
var stopped = regexp.MustCompile(`(?m)^> .*\((\d+)\)(\S+)\(\)(->|$)`)

// over matches pdb's message at the end of a run.
var over = regexp.MustCompile(`(?m)^(The program finished|Post mortem debugger|Uncaught exception|The program exited)`)

// answersOfPdb returns pdb's answers to commands until its run ends.
func answersOfPdb(t *testing.T, interpreter pythons.Python, path string, commands []string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), interpreter.Path, "-m", "pdb", path)
	cmd.Dir, cmd.Stdin = filepath.Dir(path), strings.NewReader(strings.Join(commands, "\n")+"\n")
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "PYTHON_COLORS=0", "HOME="+filepath.Dir(path))
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		t.Fatalf("pdb: %v\n%s", err, errors.String())
	}
	var answers []string
	for _, said := range strings.Split(string(out), "(Pdb) ")[1:] {
		if over.MatchString(said) || elsewhere(said, path) {
			break
		}
		answers = append(answers, place(said))
	}
	return answers[:min(len(answers), len(commands))] // the end of the input has an answer too
}

// elsewhere reports whether pdb is in another file: in the library, or where it ran the
// program from.
func elsewhere(said, path string) bool {
	m := stopped.FindString(said)
	return m != "" && !strings.HasPrefix(m, "> "+path+"(")
}

// place returns the compared part of an answer: the position, or the whole text if nothing
// moved.
func place(said string) string {
	m := stopped.FindAllStringSubmatch(said, -1)
	if m == nil {
		if strings.HasPrefix(said, "***") {
			return "***"
		}
		return strings.TrimSpace(said)
	}
	last := m[len(m)-1]
	kind := "line"
	for _, k := range []string{"--Call--", "--Return--"} {
		if strings.Contains(said, k) {
			kind = k
		}
	}
	deleted := ""
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "Deleted") {
			deleted += line
		}
	}
	return kind + " " + last[1] + " " + last[2] + " " + deleted
}

// answersOfNpdb returns npdb's answers to them.
func answersOfNpdb(t *testing.T, interpreter pythons.Python, path string, commands []string) []string {
	t.Helper()
	s, err := interpreted(t.Context(), session.Config{
		Options: trace.Options{Script: path, Python: interpreter.Path, Dir: filepath.Dir(path), Stdin: strings.NewReader("")},
		Start:   session.StartTrace,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	var answers []string
	s.First(t.Context())
	for _, command := range commands {
		var said bytes.Buffer
		shown := frontend.NewPlain(&said, false)
		var last *session.Answer
		s.Line(t.Context(), command, func(a *session.Answer) {
			last = a
			if err := shown.Show(a); err != nil {
				t.Fatal(err)
			}
		})
		if last.Done || last.PostMortem {
			break
		}
		answers = append(answers, place(said.String()))
	}
	return answers
}
