package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python/supported"
	"github.com/npdb/npdb/trace"
)

// python returns facts about the interpreter that npdb would use, whether it can be
// traced, and which others there are.
func (g *Given) python(ctx context.Context) []Fact {
	named, from := g.named()
	path, err := trace.FindPython(named, os.Environ())
	var facts []Fact
	if err != nil {
		facts = []Fact{{Name: "interpreter", Mark: Wrong, Fails: true, Text: err.Error(), Do: "install " + supported.Needed() + ", or name one with --python"}}
	} else {
		facts = g.used(ctx, path, why(path, named, from))
		facts = append(facts, Fact{Name: "frames", Mark: Right, Text: "a model predicts " + g.Frames.Frames(), Value: g.Frames.String()})
	}
	// Run the other interpreters only now: a version manager's script starts a shell to find its
	// Python, and many of these at once are slow.
	some, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	return append(facts, listed(onPath(some, path))...)
}

// named returns the interpreter that the configuration names, and the source of that
// setting.
func (g *Given) named() (name, from string) {
	if g.Config == nil {
		return "", ""
	}
	return g.Config.Python, g.Config.From("python")
}

// why explains the choice of the interpreter: see trace.FindPython.
func why(path, named, from string) string {
	venv := os.Getenv("VIRTUAL_ENV")
	switch {
	case named != "":
		return "named by " + from
	case venv != "" && path == filepath.Join(venv, "bin", "python"):
		return "of the active virtual environment (VIRTUAL_ENV)"
	case venv != "":
		return "the first " + filepath.Base(path) + " on the PATH, for VIRTUAL_ENV has no bin/python"
	}
	return "the first " + filepath.Base(path) + " on the PATH"
}

// used returns facts about the interpreter that npdb would use.
func (g *Given) used(ctx context.Context, path, why string) []Fact {
	facts := []Fact{{
		Name: "interpreter", Mark: Right, Text: path + ", " + why,
		Value: map[string]string{"path": path, "why": why},
	}}
	if strings.Contains(why, "for VIRTUAL_ENV has no") {
		facts[0].Mark, facts[0].Do = Note, "activate the environment anew, or unset VIRTUAL_ENV"
	}
	is := ask(ctx, path, starting)
	version := Fact{Name: "version", Mark: Right, Text: is.name(), Value: is.version}
	switch {
	case is.failed != nil:
		version.Mark, version.Text, version.Value = Wrong, is.failed.Error(), nil
	case !is.supported():
		version.Mark, version.Text = Wrong, is.name()+": npdb needs "+supported.Needed()
		version.Do = "name another with --python"
	case is.major > 3 || is.minor > supported.Newest:
		version.Mark, version.Text = Note, fmt.Sprintf("%s: npdb is tested up to 3.%d", is.name(), supported.Newest)
		if !supported.Unknown(is.major, is.minor) {
			version.Text += ", and with " + supported.PreviewBuild + " only " + supported.PreviewLimits
		}
		version.Do = "if stops or values look wrong, name an older one with --python"
	default:
		version.Text += ", supported"
	}
	if is.executable != "" && is.executable != path {
		version.Text += ", itself " + is.executable
	}
	return append(facts, version, tracer(ctx, path))
}

// trial is the program with which the tracer and models are tested.
const trial = "x = 1\ny = x + 1\nprint(x, y)\n"

// tracer steps through the trial program.
func tracer(ctx context.Context, python string) Fact {
	dir, err := os.MkdirTemp("", "npdb-doctor-")
	if err != nil {
		return Fact{Name: "tracer", Mark: Wrong, Fails: true, Text: "there is no folder for a trial: " + err.Error(), Do: "make room there, or name another folder with TMPDIR"}
	}
	defer func() { _ = os.RemoveAll(dir) }() // failure only leaves a temporary file behind
	start := time.Now()
	if err := step(ctx, python, dir); err != nil {
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
			err = errors.New("a program of three lines did not end in time")
		}
		f := Fact{Name: "tracer", Mark: Wrong, Fails: true, Text: "npdb cannot trace a program in it: " + err.Error(), Do: "name another with --python"}
		var started *trace.StartError
		if errors.As(err, &started) && started.Traceback != "" && !strings.Contains(err.Error(), lastLine(started.Traceback)) {
			f.Text += " (" + lastLine(started.Traceback) + ")"
		}
		return f
	}
	took := time.Since(start).Round(time.Millisecond)
	return Fact{Name: "tracer", Mark: Right, Text: fmt.Sprintf("it runs: a program of three lines stepped through in %v", took), Value: took.Milliseconds()}
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// step runs the trial program in a folder, line by line to its end.
func step(ctx context.Context, python, dir string) (err error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer func() { _ = null.Close() }()
	rec, at, err := trace.Start(ctx, trace.Options{
		Python: python, Code: trial, Dir: dir, Stdin: null, Limits: trace.Limits{StartTime: starting},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	steps := 0
	for ; !at.End; steps++ {
		if at, err = rec.Move(ctx, at.Position, dsl.Action{Move: dsl.StepOver}); err != nil {
			return err
		}
	}
	switch exit := rec.Exit(); {
	case exit == nil || exit.Code != 0:
		return errors.New("a program of three lines fails")
	case steps < strings.Count(trial, "\n"):
		return fmt.Errorf("a program of three lines had %d steps", steps)
	}
	return nil
}

// interpreter is a Python and its answers about itself.
type interpreter struct {
	path           string
	failed         error
	implementation string // "cpython"
	version        string // "3.12.1"
	executable     string
	major, minor   int
}

func (p interpreter) supported() bool {
	return p.implementation == "cpython" && !supported.TooOld(p.major, p.minor)
}

// name returns the version as shown to the user.
func (p interpreter) name() string {
	if p.implementation == "cpython" {
		return "CPython " + p.version
	}
	return p.implementation + " " + p.version
}

// itself is a program that prints facts about the interpreter, one per line, in any version of Python.
// It imports only sys, which is built in: any other module could be loaded from the current folder.
const itself = `import sys
v = sys.version_info
of = getattr(sys, "implementation", None)
said = [of.name if of else "python", "%d.%d.%d" % v[:3] + ("" if v[3] == "final" else "%s%d" % v[3:]), "%d %d" % v[:2], sys.executable]
sys.stdout.write("npdb\n" + "\n".join(said))`

// answering is the time limit within which each of the other interpreters must print the facts about
// itself. starting is the limit for the interpreter that npdb would use, and for starting the trial
// program.
const answering, starting = 8 * time.Second, 15 * time.Second

// ask runs an interpreter to get its version and paths.
func ask(ctx context.Context, path string, limit time.Duration) interpreter {
	p := interpreter{path: path}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-E", "-S", "-c", itself)
	cmd.WaitDelay = time.Second // a child process may keep the pipe open
	out, err := cmd.Output()
	said := strings.Split(string(out), "\n")
	switch {
	case ctx.Err() != nil:
		p.failed = errors.New("it did not answer")
	case err != nil:
		p.failed = fmt.Errorf("it does not behave like a Python: %w", err)
	case len(said) < 5 || said[0] != "npdb":
		p.failed = errors.New("it is not a Python")
	default:
		p.implementation, p.version, p.executable = said[1], said[2], strings.TrimSpace(said[4])
		if _, err := fmt.Sscan(said[3], &p.major, &p.minor); err != nil {
			p.failed = errors.New("it is not a Python")
		}
	}
	return p
}

// mostAsked limits how many interpreters on PATH are run.
const mostAsked = 24

// onPath returns the other interpreters in the PATH, each once.
func onPath(ctx context.Context, used string) []interpreter {
	candidates := []string{used}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // npdb does not run files in the current folder: see trace.FindPython
		}
		for _, pattern := range []string{"python3", "python3.[0-9]", "python3.[0-9][0-9]", "python3.[0-9][0-9]t", "python", "python2", "pypy3"} {
			found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is valid
			candidates = append(candidates, found...)
		}
	}
	said := make([]interpreter, min(len(candidates), mostAsked))
	var all sync.WaitGroup
	atOnce := make(chan struct{}, 4)
	for i := range said {
		if candidates[i] == "" {
			said[i].failed = exec.ErrNotFound
			continue
		}
		all.Go(func() {
			atOnce <- struct{}{}
			said[i] = ask(ctx, candidates[i], answering)
			<-atOnce
		})
	}
	all.Wait()
	var others []interpreter
	seen := map[string]bool{}
	for i, p := range said {
		real, err := filepath.EvalSymlinks(p.executable)
		if p.failed != nil || err != nil || seen[real] {
			continue
		}
		seen[real] = true
		if i > 0 {
			others = append(others, p)
		}
	}
	slices.SortStableFunc(others, func(a, b interpreter) int { return cmp.Or(b.major-a.major, b.minor-a.minor) })
	return others
}

// listed returns the other interpreters as facts.
func listed(others []interpreter) []Fact {
	var facts []Fact
	for _, p := range others {
		f := Fact{Name: "other", Mark: Right, Text: p.path + ", " + p.name(), Value: map[string]any{"path": p.path, "version": p.version, "supported": p.supported()}}
		if !p.supported() {
			f.Text += ", not supported"
		}
		facts = append(facts, f)
	}
	return facts
}
