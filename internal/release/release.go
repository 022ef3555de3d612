package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// release is a release that is being made.
type release struct {
	version version
	time    time.Time // of the commit: the time of every file
	root    string    // the repository
	out     string
	work    string // for files that are not released by themselves

	project *project // of the Python package
	license []byte
	notices []byte // the licenses of the modules in the program
	pages   []file // of the manual, section 1
	shells  []file // completion scripts
}

// newRelease prepares a release in the folder out, which is new or empty.
func newRelease(v version, root, out, work string) (*release, error) {
	r := &release{version: v, root: root, work: work}
	var err error
	if r.out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	if r.time, err = r.commitTime(os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return nil, err
	}
	if r.project, err = readProject(r.path(shim, "pyproject.toml")); err != nil {
		return nil, err
	}
	if r.license, err = os.ReadFile(r.path("LICENSE")); err != nil {
		return nil, err
	}
	if err := r.empty(); err != nil {
		return nil, err
	}
	return r, nil
}

// empty creates the folder out. It deletes nothing.
func (r *release) empty() error {
	found, err := os.ReadDir(r.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(found) > 0 {
		return fmt.Errorf("%s is not empty: remove it, or name another folder with -out", r.out)
	}
	return os.MkdirAll(r.out, 0o755)
}

// commitTime returns the time of the commit, unless epoch, SOURCE_DATE_EPOCH, gives another.
func (r *release) commitTime(epoch string) (time.Time, error) {
	if epoch == "" {
		git := exec.Command("git", "log", "-1", "--format=%ct")
		git.Dir = r.root
		said, err := git.Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("the time of the commit is unknown: run in a clone of npdb, or set SOURCE_DATE_EPOCH: %w", err)
		}
		epoch = strings.TrimSpace(string(said))
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is no number of seconds: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// make makes the files of the release, the templates after what they name, and the sums last.
func (r *release) make() error {
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"release notes", r.notes},
		{"programs", r.programs},
		{"licenses", r.licenses},
		{"manual and completions", r.documents},
		{"archives", r.archives},
		{"Python packages", r.python},
		{"npm packages", r.npm},
		{"Linux packages", r.linux},
		{"list of components", r.components},
		{"templates", r.fill},
		{"sums", r.sum},
	} {
		fmt.Fprintln(os.Stderr, "==", step.what)
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	return nil
}

// path returns a path in the repository.
func (r *release) path(names ...string) string {
	return filepath.Join(append([]string{r.root}, names...)...)
}

// run runs a command in the repository, with variables added to the environment.
func (r *release) run(variables []string, name string, args ...string) error {
	cmd := r.command(variables, name, args...)
	cmd.Stdout = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return nil
}

// output runs a command, and returns what it writes.
func (r *release) output(variables []string, name string, args ...string) ([]byte, error) {
	cmd := r.command(variables, name, args...)
	said, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return said, nil
}

// command returns a command that sees the release's time as the current one.
func (r *release) command(variables []string, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), append(variables, "TZ=UTC", "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.time.Unix(), 10))...)
	cmd.Stderr = os.Stderr
	return cmd
}

// host returns the system that this program runs on.
func host() target { return target{system: runtime.GOOS, machine: runtime.GOARCH} }
