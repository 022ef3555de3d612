package contain

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// controlGroup is the server's own group of cgroup v2. Each program gets a group below it,
// which limits the memory and processes of the whole program, including kernel memory and
// memory file systems.
type controlGroup struct {
	dir      string
	pid      string
	programs atomic.Uint32
}

const (
	serverGroup  = "npdb-server" // the server's: a group with subgroups must not have processes itself
	programGroup = "npdb-program-"
	members      = "cgroup.procs"
	handedOn     = "cgroup.subtree_control"
)

// findControlGroup takes over the group of this process, if it is allowed to. Otherwise
// the error says why, and nothing is changed. root is the directory where groups are
// mounted, self the content of /proc/self/cgroup.
func findControlGroup(root, self string) (*controlGroup, error) {
	path := ""
	for line := range strings.Lines(self) {
		if at, ok := strings.CutPrefix(line, "0::"); ok {
			path = strings.TrimSuffix(at, "\n")
		}
	}
	if path == "" {
		return nil, errors.New("the system has no control groups of version 2")
	}
	if filepath.Base(path) == serverGroup { // already taken over
		path = filepath.Dir(path)
	}
	g := &controlGroup{dir: filepath.Join(root, path), pid: strconv.Itoa(os.Getpid())}
	there, err := os.ReadFile(filepath.Join(g.dir, "cgroup.controllers"))
	if err != nil {
		return nil, fmt.Errorf("the server's control group cannot be read: %w", err)
	}
	for _, wanted := range []string{"memory", "pids"} {
		if !slices.Contains(strings.Fields(string(there)), wanted) {
			return nil, fmt.Errorf("the server's control group lacks the controller %q", wanted)
		}
	}
	if err := g.take(); err != nil {
		return nil, fmt.Errorf("the control group is not the server's own (systemd-run --user --scope -p Delegate=yes gives it one): %w", err)
	}
	g.sweep()
	return g, nil
}

// take moves this process into a subgroup and lets the other subgroups have limits on memory
// and processes.
func (g *controlGroup) take() error {
	own := filepath.Join(g.dir, serverGroup)
	if err := os.Mkdir(own, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	err := tell(own, members, g.pid)
	if err == nil {
		err = tell(g.dir, handedOn, "+memory +pids")
	}
	if err != nil {
		g.leave()
	}
	return err
}

// leave undoes take as far as possible.
func (g *controlGroup) leave() {
	_ = tell(g.dir, handedOn, "-memory -pids")
	_ = tell(g.dir, members, g.pid)
	_ = os.Remove(filepath.Join(g.dir, serverGroup))
}

// close removes the groups of the programs and moves this process back to its previous group.
func (g *controlGroup) close() {
	g.sweep()
	g.leave()
}

// add creates a group for a program and returns the command prefix that runs a command in
// it.
func (g *controlGroup) add(l Limits) ([]string, error) {
	g.sweep()
	dir := filepath.Join(g.dir, programGroup+g.pid+"-"+strconv.Itoa(int(g.programs.Add(1))))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	if err := limitGroup(dir, l); err != nil {
		_ = os.Remove(dir)
		return nil, err
	}
	return joinGroup(dir), nil
}

func joinGroup(dir string) []string {
	return []string{"/bin/sh", "-c", `echo 0 >"$1" && shift && exec "$@"`, "sh", filepath.Join(dir, members)}
}

func limitGroup(dir string, l Limits) error {
	const sandbox = 8 // processes of the sandbox itself
	for _, limit := range []struct {
		file, value string
		needed      bool
	}{
		{"memory.max", strconv.FormatInt(l.Total, 10), true},
		{"memory.swap.max", "0", false}, // missing on systems without swap
		{"memory.oom.group", "1", false},
		{"pids.max", strconv.Itoa(l.Processes + sandbox), true},
	} {
		if err := tell(dir, limit.file, limit.value); err != nil && limit.needed {
			return err
		}
	}
	return nil
}

// sweep removes the groups of programs that have ended. The system does not remove them
// itself.
func (g *controlGroup) sweep() {
	entries, _ := os.ReadDir(g.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), programGroup) {
			_ = os.Remove(filepath.Join(g.dir, e.Name()))
		}
	}
}

// tell writes a text to an existing file in the directory of a group.
func tell(dir, file, text string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
