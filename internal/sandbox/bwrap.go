package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Bwrap is an installed bubblewrap, and what it can do here.
type Bwrap struct {
	path   string
	argv   []string // with the options that it has
	users  bool     // what runs in it changes its user
	filter *os.File // of system calls, which each sandbox opens again
}

// FindBwrap looks for bubblewrap. users says that what runs in its sandboxes takes
// another user, for which root is needed.
func FindBwrap(users bool) (*Bwrap, error) {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, errors.New("bubblewrap (bwrap) is not installed")
	}
	help, err := exec.Command(path, "--help").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("bubblewrap (%s) does not run: %w: %s", path, err, bytes.TrimSpace(help))
	}
	b := &Bwrap{path: path, argv: []string{path}, users: users}
	kept, filter, err := filterFile()
	if err != nil {
		return nil, err
	}
	if b.filter = kept; filter != "" {
		const fd = "9" // none that a program is given
		b.argv = []string{"/bin/sh", "-c", "exec " + fd + `<"$1"; shift; exec "$@"`, "sh", filter, path, "--seccomp", fd}
	}
	// A name space is a root's own, in which it could mount memory. As root there
	// is none, and the filter alone holds it.
	const noMore = "--disable-userns"
	if !users && bytes.Contains(help, []byte(noMore)) {
		with := slices.Concat(b.argv, []string{"--unshare-user", noMore, "--ro-bind", "/", "/", "true"})
		if exec.Command(with[0], with[1:]...).Run() == nil {
			b.argv = append(b.argv, noMore)
		}
	}
	return b, nil
}

// Path returns where bubblewrap lies.
func (b *Bwrap) Path() string { return b.path }

// System returns the beginning of a sandbox (bwrap(1)): no network, no other process, and of the
// host the system and an interpreter, for reading. What is written goes nowhere until
// something is mounted for it.
func (b *Bwrap) System(python *Interpreter) *Mounts {
	m := &Mounts{made: map[string]bool{"/": true}, argv: slices.Concat(b.argv, []string{
		"--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
		"--hostname", "npdb", "--die-with-parent", "--cap-drop", "ALL",
	})}
	if b.users {
		m.Add("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
	} else {
		m.Add("--unshare-user")
	}
	for _, path := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"} {
		m.system(path)
	}
	m.Directory("/etc")
	for _, path := range []string{"/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives"} {
		m.Add("--ro-bind-try", path, path)
	}
	for _, path := range python.paths() {
		m.ReadOnly(path)
	}
	m.Add("--proc", "/proc", "--dev", "/dev")
	return m
}

// Mounts is bwrap's command line as it grows.
type Mounts struct {
	argv []string
	made map[string]bool // directories that are there already
}

// Add appends options.
func (m *Mounts) Add(argv ...string) { m.argv = append(m.argv, argv...) }

// Directory makes one with its parents, open to everybody: bwrap would copy the
// modes of the host's, and /root is closed.
func (m *Mounts) Directory(path string) {
	if m.made[path] || m.covered(path) {
		return
	}
	m.Directory(filepath.Dir(path))
	m.Add("--perms", "0755", "--dir", path)
	m.made[path] = true
}

// system shows a directory of the system's, or the link that stands for it.
func (m *Mounts) system(path string) {
	info, err := os.Lstat(path)
	if err != nil {
		return
	}
	if info.Mode()&os.ModeSymlink == 0 {
		m.ReadOnly(path)
		return
	}
	if to, err := os.Readlink(path); err == nil {
		m.Add("--symlink", to, path)
	}
}

// ReadOnly shows a path of the host's.
func (m *Mounts) ReadOnly(path string) {
	if m.covered(path) {
		return
	}
	m.Directory(filepath.Dir(path))
	m.Add("--ro-bind", path, path)
	m.made[path+"/"] = true
}

// covered reports whether a directory above the path, or the path, is shown.
func (m *Mounts) covered(path string) bool {
	for ; path != "/" && path != "."; path = filepath.Dir(path) {
		if m.made[path+"/"] {
			return true
		}
	}
	return false
}

// Made notes a directory that the options added so far create.
func (m *Mounts) Made(path string) { m.made[path] = true }

// Command returns the sandbox's command line, for the program and its arguments to follow.
func (m *Mounts) Command() []string { return append(m.argv, "--") }
