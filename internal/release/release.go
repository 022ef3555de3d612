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

// release is a release that is being built.
type release struct {
	version version
	time    time.Time // of the commit: the time of every file
	root    string    // the repository
	out     string
	work    string // folder for files that only become parts of released files

	project *project // of the Python package
	license []byte
	notices []byte // the licenses of the modules in the program
	pages   []file // manual pages, section 1
	scripts []file // completion scripts
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
	if err := r.createOut(); err != nil {
		return nil, err
	}
	return r, nil
}

// createOut creates the folder out. It fails if the folder contains files.
func (r *release) createOut() error {
	found, err := os.ReadDir(r.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(found) > 0 {
		return fmt.Errorf("%s is not empty: remove it, or name another folder with -out", r.out)
	}
	return os.MkdirAll(r.out, 0o755)
}

// commitTime returns the time in epoch, the value of SOURCE_DATE_EPOCH, or that of the commit if
// epoch is empty.
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
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is not a number of seconds: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// make builds the files of the release. The templates are filled in after the files that they name,
// and the hashes are written last.
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
		{"hashes", r.writeHashes},
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

// output runs a command and returns its standard output.
func (r *release) output(variables []string, name string, args ...string) ([]byte, error) {
	cmd := r.command(variables, name, args...)
	said, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return said, nil
}

// command returns a command that has the release's time in SOURCE_DATE_EPOCH.
func (r *release) command(variables []string, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), append(variables, "TZ=UTC", "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.time.Unix(), 10))...)
	cmd.Stderr = os.Stderr
	return cmd
}

// host returns the target that this program runs on.
func host() target { return target{system: runtime.GOOS, machine: runtime.GOARCH} }
