//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset"
)

// datasets runs npdb dataset in separate processes.
type datasets struct{ home, python string }

func newDatasets(t *testing.T, python string) *datasets {
	t.Helper()
	return &datasets{t.TempDir(), python}
}

func (d *datasets) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return npdbCommand(t, d.home, []string{"PATH=" + os.Getenv("PATH")}, append([]string{"dataset"}, args...)...)
}

// run returns a command's standard output and standard error.
func (d *datasets) run(t *testing.T, args ...string) (said, complained string, err error) {
	t.Helper()
	cmd := d.command(t, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// make creates a dataset in a folder.
func (d *datasets) make(t *testing.T, dir string, args ...string) string {
	t.Helper()
	said, complained, err := d.run(t, append([]string{"--out", dir, "--python", d.python}, args...)...)
	if err != nil {
		t.Fatalf("npdb dataset %q: %v\n%s", args, err, complained)
	}
	return said
}

func (d *datasets) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(d.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// files returns the files of a dataset by name.
func (d *datasets) files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := os.DirFS(filepath.Join(d.home, dir))
	for _, pattern := range []string{"*", "parts/*"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if raw, err := fs.ReadFile(root, name); err == nil { // otherwise it is a folder
				found[name] = string(raw)
			}
		}
	}
	return found
}

func sameFiles(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: there are %d files and not %d", what, len(got), len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %s has %d bytes and not those %d", what, name, len(got[name]), len(text))
		}
	}
}

// TestDatasetGenerated checks that generated datasets have the same bytes with one worker
// and with eight, on one machine and on three, and after kill -9.
func TestDatasetGenerated(t *testing.T) {
	d := newDatasets(t, pythons.Between(t, 12, 14)[0].Path)
	args := []string{"--seed", "3", "--count", "60", "--shard-programs", "8", "--held-out", "0.2", "--difficulty", "0-0.4", "--curriculum"}
	d.make(t, "one", append(args, "-j", "1")...)
	want := d.files(t, "one")
	d.make(t, "eight", append(args, "-j", "8")...)
	sameFiles(t, "eight workers", d.files(t, "eight"), want)
	for _, share := range []string{"2/3", "0/3", "1/3"} {
		if said := d.make(t, "share"+share[:1], append(args, "-j", "2", "--shard", share)...); !strings.Contains(said, "share "+share+" is made. When all are, npdb dataset merge") {
			t.Errorf("%q", said)
		}
	}
	if _, said, err := d.run(t, "merge", "merged", "share0", "share2"); err == nil || !strings.Contains(said, "of 8 shards 3 are missing: 1, 4, 7.") {
		t.Errorf("%v %s", err, said)
	}
	said, complained, err := d.run(t, "merge", "merged", "share0", "share1", "share2")
	if err != nil {
		t.Fatal(complained)
	}
	sameFiles(t, "three machines", d.files(t, "merged"), want)
	if stat, _, err := d.run(t, "stat", "merged"); err != nil || stat != said || !strings.Contains(stat, "step_into") {
		t.Errorf("%v\n%s\n%s", err, stat, said)
	}
	d.killed(t, args, want)
	if _, complained, err := d.run(t, "--out", "one", "--python", d.python, "--seed", "4", "--count", "60"); err == nil || !strings.Contains(complained, "npdb: one was begun with other settings: curriculum is true there and false here; ") {
		t.Errorf("%v %s", err, complained)
	}
}

// killed kills a run several times, and lets the last one finish.
func (d *datasets) killed(t *testing.T, args []string, want map[string]string) {
	t.Helper()
	parts := filepath.Join(d.home, "killed", "parts")
	for _, shards := range []int{1, 3, 5} {
		cmd := d.command(t, append([]string{"--out", "killed", "--python", d.python, "-j", "2"}, args...)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		awaitFiles(t, parts, shards)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Errorf("with %d shards it had ended", shards)
		}
	}
	d.make(t, "killed", append(args, "-j", "2")...)
	sameFiles(t, "killed", d.files(t, "killed"), want)
}

// awaitFiles waits until a folder has a number of files.
func awaitFiles(t *testing.T, dir string, n int) {
	t.Helper()
	deadline, tick := time.After(time.Minute), time.NewTicker(2*time.Millisecond)
	defer tick.Stop()
	for {
		if found, err := filepath.Glob(filepath.Join(dir, "*.json")); err != nil || len(found) >= n {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s has no %d files", dir, n)
		}
	}
}

var programsShown = regexp.MustCompile(`([0-9,]+)/[0-9,]+ programs`)

// awaitPrograms waits until the bar shows a number of programs more than at first.
func awaitPrograms(t *testing.T, screen io.Reader, programs int) {
	t.Helper()
	var said []byte
	first, piece := -1, make([]byte, 1<<12)
	for {
		n, err := screen.Read(piece)
		said = append(said, piece[:n]...)
		for _, m := range programsShown.FindAllSubmatch(said, -1) {
			shown, _ := strconv.Atoi(string(m[1]))
			if first < 0 {
				first = shown
			}
			if shown >= first+programs {
				return
			}
		}
		if err != nil {
			t.Fatalf("it did not come to %d programs: %v\n%q", programs, err, said)
		}
	}
}

// TestDatasetInterrupted checks that Ctrl-C keeps complete files, and that npdb says how
// to continue.
func TestDatasetInterrupted(t *testing.T) {
	d := newDatasets(t, pythons.Any(t))
	d.write(t, "many.jsonl", strings.Repeat(`{"code": "def f(x):\n    return x + 1\n", "input": "2"}`+"\n", 3))
	args := []string{"--out", "made", "--programs", "many.jsonl", "--count", "100000", "--shard-programs", "4", "-j", "1", "--python", d.python}
	cmd := d.command(t, args...)
	screen, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	awaitPrograms(t, screen, 9)
	if _, err := screen.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	said, _ := io.ReadAll(screen)
	if err := cmd.Wait(); err == nil || !bytes.Contains(said, []byte("npdb: interrupted; complete shards stay in made, and the same command continues from there")) {
		t.Errorf("%v %q", err, said)
	}
	text, _, err := d.run(t, "stat", "made")
	if err != nil || !strings.Contains(text, "of 25,000 shards are there") || !strings.Contains(text, "trajectories") {
		t.Errorf("%v %s", err, text)
	}
}

// TestDatasetHostile checks that a misbehaving program only loses its own line.
func TestDatasetHostile(t *testing.T) {
	d := newDatasets(t, pythons.Any(t))
	const good = "def f(x):\n    y = [x]\n    return y * 2\nprint(f(3))\n"
	for name, source := range map[string]string{
		"a_good.py":   good,
		"calls.py":    "x = pow(3, 10 ** 9)\n",
		"forks.py":    "import os\nwhile True:\n    os.fork()\n",
		"kills.py":    "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos.kill(0, signal.SIGKILL)\n",
		"loops.py":    "while True:\n    pass\n",
		"memory.py":   "a = [0] * 10 ** 10\n",
		"prints.py":   "any(map(print, ['x' * 10 ** 6] * 1000))\n",
		"reads.py":    "x = input()\n",
		"syntax.py":   "def (:\n",
		"z_good.py":   strings.ReplaceAll(good, "f(", "g("),
		"z_twin.py":   good,
		"z_latin1.py": "# coding: latin-1\nx = '\xe9'\n",
	} {
		d.write(t, "programs/"+name, source)
	}
	d.make(t, "made", "--programs", "programs", "-j", "2", "--timeout", "1s", "--memory", "300MiB", "--walks", "2", "--held-out", "0")
	m, err := dataset.Stat(filepath.Join(d.home, "made"))
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]string{}
	for _, f := range m.Failed {
		failed[f.Program] = f.Reason
	}
	for _, name := range []string{"calls.py", "forks.py", "kills.py", "loops.py", "reads.py", "syntax.py", "z_latin1.py"} {
		if failed[name] == "" {
			t.Errorf("%s is kept", name)
		}
	}
	if failed["a_good.py"] != "" || failed["z_good.py"] != "" || m.Settings.Source.Alike != 1 || m.Settings.Source.Programs != 11 || m.Programs.Kept+m.Programs.Failed != 11 {
		t.Errorf("%+v, failed %v", m.Programs, failed)
	}
}

// TestDatasetRefuses checks that invalid arguments are refused before any work begins.
func TestDatasetRefuses(t *testing.T) {
	d := newDatasets(t, pythons.Any(t))
	d.write(t, "one.py", "x = 1\n")
	d.write(t, "policy.json", `{"hit": 0.5, "hits": 1}`)
	d.write(t, "full/thesis.tex", "")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--out DIR is missing", []string{"--count", "1"}},
		{"--count N is missing", []string{"--out", "made"}},
		{"--shard 3/3: write i/n", []string{"--out", "made", "--count", "1", "--shard", "3/3"}},
		{"--dialect chat: choose nd/1, cwm or both", []string{"--out", "made", "--count", "1", "--dialect", "chat"}},
		{"--difficulty 1-0: write lo-hi", []string{"--out", "made", "--count", "1", "--difficulty", "1-0"}},
		{`--policy policy.json: json: unknown field "hits"`, []string{"--out", "made", "--count", "1", "--policy", "policy.json"}},
		{"setting hit: 2 is no probability", []string{"--out", "made", "--count", "1", "--hit", "2"}},
		{"--timeout must be at least 1s", []string{"--out", "made", "--count", "1", "--timeout", "1ms"}},
		{"--contain well: choose", []string{"--out", "made", "--count", "1", "--contain", "well"}},
		{"--difficulty is for generated programs", []string{"--out", "made", "--programs", "one.py", "--difficulty", "0-0.5"}},
		{"none.py: no such file", []string{"--out", "made", "--programs", "none.py"}},
		{"full is no dataset and holds something, such as thesis.tex", []string{"--out", "full", "--programs", "one.py"}},
		{"no Python at", []string{"--out", "made", "--programs", "one.py", "--python", filepath.Join(t.TempDir(), "none")}},
		{"full is no dataset", []string{"merge", "full"}},
		{"full is no dataset", []string{"stat", "full"}},
	} {
		if c.args[0] == "--out" && !slices.Contains(c.args, "--python") {
			c.args = append(c.args, "--python", d.python)
		}
		if _, said, err := d.run(t, c.args...); err == nil || !strings.Contains(said, c.want) {
			t.Errorf("%q: %v %s", c.args, err, said)
		}
	}
	if _, err := os.Stat(filepath.Join(d.home, "made")); err == nil {
		t.Error("a folder was made")
	}
}

// TestDatasetPolicy checks the settings of walks: a file, and flags that override it.
func TestDatasetPolicy(t *testing.T) {
	d := newDatasets(t, pythons.Any(t))
	d.write(t, "one.py", "x = 1\ny = 2\n")
	d.write(t, "policy.json", `{"hit": 0.5, "inverse": 0.9}`)
	for _, c := range []struct{ args, hit, inverse string }{
		{"", "0.85", "0.3"},
		{"--policy policy.json", "0.5", "0.9"},
		{"--policy policy.json --inverse 0", "0.5", "0"},
		{"--policy paper --hit 1", "1", "0.3"},
	} {
		dir := fmt.Sprintf("made%x", c.args)
		d.make(t, dir, append([]string{"--programs", "one.py"}, strings.Fields(c.args)...)...)
		said, _, err := d.run(t, "stat", dir, "--json")
		var m struct {
			Settings struct{ Policy map[string]json.RawMessage }
		}
		if err := errors.Join(err, json.Unmarshal([]byte(said), &m)); err != nil || string(m.Settings.Policy["hit"]) != c.hit || string(m.Settings.Policy["inverse"]) != c.inverse {
			t.Errorf("%q: %v %s", c.args, err, said)
		}
	}
}

// TestDatasetReal checks that the generator uses harvested functions. Harvesting stops at
// its time limit, and writes its file completely or not at all.
func TestDatasetReal(t *testing.T) {
	d := newDatasets(t, pythons.Between(t, 12, 14)[0].Path)
	said, complained, err := d.run(t, "harvest", "--out", "none.jsonl", "--time", "1ns", "--python", d.python)
	if err != nil || said != "npdb dataset harvest: 0 functions in none.jsonl\n" {
		t.Errorf("%v %q %s", err, said, complained)
	}
	if _, said, err := d.run(t, "harvest", "--out", "more.jsonl", "--python", d.python, "nowhere"); err == nil || !strings.Contains(said, "nowhere") {
		t.Errorf("%v %s", err, said)
	}
	if _, err := os.Stat(filepath.Join(d.home, "more.jsonl")); err == nil {
		t.Error("what failed has written a file")
	}
	d.write(t, "real.jsonl", `{"origin": "test", "events": 3, "source": "def double(n):\n    m = n + n\n    return m\n", "calls": ["double(3)", "double(40)"]}`+"\n")
	d.make(t, "made", "--count", "60", "--seed", "1", "--real", "real.jsonl")
	m, err := dataset.Stat(filepath.Join(d.home, "made"))
	if err != nil || m.Splits[dataset.Train].Tally.Families["real"] == 0 || m.Settings.Source.Name != "real.jsonl" || len(m.Settings.Source.Digest) != 64 {
		t.Errorf("%v %+v %v", err, m.Settings.Source, m.Splits[dataset.Train].Tally.Families)
	}
}

// TestDatasetFindsAPython checks that generation chooses a suitable Python on PATH, but
// never replaces one that the user named.
func TestDatasetFindsAPython(t *testing.T) {
	all := pythons.All(t)
	old, newer := all[0], all[len(all)-1]
	if old.Minor >= 12 || newer.Minor < 12 {
		t.Skip("this takes a Python older than 3.12 and one that is not, in NPDB_PYTHONS")
	}
	bin := t.TempDir()
	for name, p := range map[string]pythons.Python{"python3": old, "python3.12": newer} {
		if err := os.Symlink(p.Path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	home, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	run := func(args ...string) (string, error) {
		said, err := npdbCommand(t, home, []string{"PATH=" + bin + ":/usr/bin:/bin"}, append([]string{"dataset", "--out", out, "--count", "3"}, args...)...).CombinedOutput()
		return string(said), err
	}
	if said, err := run("--python", old.Path); err == nil || !strings.Contains(said, "name one with --python") {
		t.Errorf("%v: %s", err, said)
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a dataset was begun: %v", err)
	}
	if said, err := run(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	raw, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err != nil || !strings.Contains(string(raw), `"python": "`+newer.String()+".") {
		t.Errorf("%v: %s", err, raw)
	}
}
