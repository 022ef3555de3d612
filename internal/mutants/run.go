package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// outcome is the result of testing a mutant.
type outcome string

const (
	caught   outcome = "caught"
	timedOut outcome = "timed out" // counts as caught
	survived outcome = "survived"
	untested outcome = "not run by any test" // counts as survived
)

// memory limits the address space of a test binary, in KiB, because a mutant may allocate memory
// without end.
const memory = 8 << 20

// bench is what is needed to test the mutants of a package.
type bench struct {
	*pkg
	temp   string
	suites []*suite // the package's own tests first
}

// suite is the tests of one package.
type suite struct {
	*pkg
	flags   []string // of the test binary
	limit   time.Duration
	covered []block // lines of the mutated package
}

// newBench prepares the tests of package p, and the tests of those packages in `with` that also
// test p. It first runs the tests without a mutant: they must pass, and this run shows which lines
// they cover and how long they take.
func newBench(p *pkg, with []*pkg, temp string, flags []string) (*bench, error) {
	b := &bench{pkg: p, temp: temp}
	for _, of := range append([]*pkg{p}, with...) {
		if of.ImportPath == p.ImportPath && len(b.suites) > 0 {
			continue // named twice
		}
		s, err := newSuite(p, of, temp, flags)
		if err != nil {
			return nil, err
		}
		b.suites = append(b.suites, s)
	}
	return b, nil
}

func newSuite(mutated, of *pkg, temp string, flags []string) (*suite, error) {
	s := &suite{pkg: of, limit: 30 * time.Minute}
	s.flags = append([]string{"-test.v"}, flags...)
	if slices.Contains(slices.Concat(of.TestImports, of.XTestImports), "pgregory.net/rapid") {
		s.flags = append(s.flags, "-rapid.nofailfile") // so that rapid writes no files into the source tree
	}
	binary, profile := filepath.Join(temp, "test"), filepath.Join(temp, "coverage")
	defer os.Remove(binary)
	if err := s.build(binary, "-cover", "-coverpkg="+mutated.ImportPath); err != nil {
		return nil, err
	}
	began := time.Now()
	counts := filepath.Join(temp, "counts") // includes lines that subprocesses of the tests run
	if err := os.Mkdir(counts, 0o700); err != nil {
		return nil, err
	}
	defer os.RemoveAll(counts)
	if failure := s.run(binary, "-test.coverprofile="+profile, "-test.gocoverdir="+counts); failure != "" {
		return nil, fmt.Errorf("%s fails as it is: %s", of.ImportPath, failure)
	}
	s.limit = 30*time.Second + 3*time.Since(began)
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	s.covered, err = blocks(string(text), mutated.ImportPath, mutated.Dir)
	return s, err
}

// try runs the tests with a mutant, one suite after the other, until one of them fails.
func (b *bench) try(m mutant) (outcome, error) {
	line := b.line(m.file, m.from)
	became := untested
	for _, s := range b.suites {
		if !ran(s.covered, m.file, line) {
			continue
		}
		what, err := b.trySuite(s, m)
		if err != nil || what != survived {
			return what, err
		}
		became = survived
	}
	return became, nil
}

func (b *bench) trySuite(s *suite, m mutant) (outcome, error) {
	temp, err := os.MkdirTemp(b.temp, "")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	changed, overlay, binary := filepath.Join(temp, "mutant.go"), filepath.Join(temp, "overlay"), filepath.Join(temp, "test")
	if err := os.WriteFile(changed, m.applied(b.texts[m.file]), 0o600); err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file: changed}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		return "", err
	}
	if err := s.build(binary, "-overlay="+overlay); err != nil {
		return "", err
	}
	switch s.run(binary) {
	case "":
		return survived, nil
	case string(timedOut):
		return timedOut, nil
	}
	return caught, nil
}

func (s *suite) build(binary string, flags ...string) error {
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", binary}, flags, []string{s.ImportPath})
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", s.ImportPath, err, out)
	}
	return nil
}

// run runs a test binary and returns its first failure, "timed out", or "" if it passes. It kills
// the binary at the first failure.
func (s *suite) run(binary string, flags ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), s.limit)
	defer cancel()
	script := fmt.Sprintf(`ulimit -v %d 2>/dev/null; exec "$0" "$@"`, memory)
	args := slices.Concat([]string{"-c", script, binary}, s.flags, flags)
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir, cmd.WaitDelay = s.Dir, 5*time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err.Error()
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return err.Error()
	}
	failure := ""
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "--- FAIL") || strings.HasPrefix(line, "panic: ") {
			failure = trimmed
			cancel()
			break
		}
		if err != nil {
			break
		}
	}
	ended := cmd.Wait()
	switch {
	case failure != "":
		return failure
	case ctx.Err() != nil:
		return string(timedOut)
	case ended != nil:
		return ended.Error()
	}
	return ""
}

// line returns the line number of a byte of a file.
func (b *bench) line(file string, at int) int {
	return 1 + strings.Count(string(b.texts[file][:at]), "\n")
}

// block is a range of lines in a coverage profile.
type block struct {
	file     string
	from, to int
	ran      bool
}

// blocks parses a coverage profile.
func blocks(profile, importPath, dir string) ([]block, error) {
	var all []block
	for line := range strings.Lines(profile) {
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		place, rest, _ := strings.Cut(line, ":")
		var one block
		var column, statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &one.from, &column, &one.to, &column, &statements, &count); err != nil {
			return nil, fmt.Errorf("coverage profile: %q: %w", line, err)
		}
		one.file = filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(place, importPath+"/")))
		one.ran = count > 0
		all = append(all, one)
	}
	return all, nil
}

// ran reports whether a test may have run a line. It returns true for a line that is not in the
// profile, such as that of a constant.
func ran(covered []block, file string, line int) bool {
	known := false
	for _, one := range covered {
		if one.file == file && one.from <= line && line <= one.to {
			if one.ran {
				return true
			}
			known = true
		}
	}
	return !known
}
