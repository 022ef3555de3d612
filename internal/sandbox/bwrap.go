package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Bwrap is an installed bubblewrap, with the features that it supports on this system.
type Bwrap struct {
	path   string
	argv   []string // command line of bwrap, with the options that it supports
	users  bool     // programs in a sandbox change their user
	filter *os.File // the seccomp filter; each sandbox opens it again
}

// Advice says what to do where programs run without bubblewrap: install it, if it is missing, or else what
// otherwise says.
func Advice(otherwise string) string {
	if _, err := exec.LookPath("bwrap"); err != nil {
		return "Install bubblewrap, or " + otherwise
	}
	return strings.ToUpper(otherwise[:1]) + otherwise[1:]
}

// FindBwrap looks for bubblewrap. users reports that programs in its sandboxes will change to
// another user, which requires root.
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
		const fd = "9" // a descriptor number that no program inherits
		b.argv = []string{"/bin/sh", "-c", "exec " + fd + `<"$1"; shift; exec "$@"`, "sh", filter, path, "--seccomp", fd}
	}
	// In its own user namespace a program would be root, and could mount file systems in memory.
	// --disable-userns prevents that. If npdb runs as root, bubblewrap creates no user namespace,
	// and only the seccomp filter prevents it.
	const noMore = "--disable-userns"
	if !users && bytes.Contains(help, []byte(noMore)) {
		with := slices.Concat(b.argv, []string{"--unshare-user", noMore, "--ro-bind", "/", "/", "true"})
		if exec.Command(with[0], with[1:]...).Run() == nil {
			b.argv = append(b.argv, noMore)
		}
	}
	return b, nil
}

// Path returns the path of bubblewrap.
func (b *Bwrap) Path() string { return b.path }

// System returns a sandbox (bwrap(1)) to which the caller can add mounts. It has no network and
// hides all other processes. Of the host's files it shows only the system and an interpreter,
// read-only. Programs in it cannot write files until the caller mounts something writable.
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

// Mounts builds bwrap's command line.
type Mounts struct {
	argv []string
	made map[string]bool // directories that exist after the options so far
}

// Add appends options.
func (m *Mounts) Add(argv ...string) { m.argv = append(m.argv, argv...) }

// Directory creates a directory and its parents, readable for everybody. By itself bwrap would copy
// the modes of the host's directories, and /root is usually not readable.
func (m *Mounts) Directory(path string) {
	if m.made[path] || m.covered(path) {
		return
	}
	m.Directory(filepath.Dir(path))
	m.Add("--perms", "0755", "--dir", path)
	m.made[path] = true
}

// system mounts a system directory, or creates the link that replaces it.
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

// ReadOnly mounts a path of the host, read-only.
func (m *Mounts) ReadOnly(path string) {
	if m.covered(path) {
		return
	}
	m.Directory(filepath.Dir(path))
	m.Add("--ro-bind", path, path)
	m.made[path+"/"] = true
}

// covered reports whether the path, or a directory above it, is mounted.
func (m *Mounts) covered(path string) bool {
	for ; path != "/" && path != "."; path = filepath.Dir(path) {
		if m.made[path+"/"] {
			return true
		}
	}
	return false
}

// Made records that the options added so far create a directory.
func (m *Mounts) Made(path string) { m.made[path] = true }

// Command returns the sandbox's command line. Append the program and its arguments to it.
func (m *Mounts) Command() []string { return append(m.argv, "--") }
