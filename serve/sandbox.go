package serve

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// source is where the sandbox has the program's files before they are copied.
const source = "/run/npdb/program"

// findBwrap takes what the installed bwrap can do.
func (c *Containment) findBwrap(path string) error {
	help, err := exec.Command(path, "--help").CombinedOutput()
	if err != nil {
		return fmt.Errorf("bubblewrap (%s) does not run: %w: %s", path, err, bytes.TrimSpace(help))
	}
	c.bwrap = []string{path}
	kept, filter, err := filterFile()
	if err != nil {
		return err
	}
	if c.filter = kept; filter != "" {
		const fd = "9" // none that a program is given
		c.bwrap = []string{"/bin/sh", "-c", "exec " + fd + `<"$1"; shift; exec "$@"`, "sh", filter, path, "--seccomp", fd}
	}
	// A name space is a root's own, in which it could mount memory. As root there
	// is none, and the filter alone holds it.
	const noMore = "--disable-userns"
	if c.setpriv == "" && bytes.Contains(help, []byte(noMore)) {
		with := slices.Concat(c.bwrap, []string{"--unshare-user", noMore, "--ro-bind", "/", "/", "true"})
		if exec.Command(with[0], with[1:]...).Run() == nil {
			c.bwrap = append(c.bwrap, noMore)
		}
	}
	return nil
}

// sandbox is bwrap with its options (bwrap(1)). Of the host there are the system
// and the interpreter, for reading; all that a program writes goes to memory file
// systems of a fixed size and is gone with it.
func (c *Containment) sandbox(scratch string) []string {
	m := mounts{made: map[string]bool{"/": true}, argv: slices.Concat(c.bwrap, []string{
		"--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
		"--hostname", "npdb", "--die-with-parent", "--cap-drop", "ALL",
	})}
	if c.setpriv != "" {
		m.add("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
	} else {
		m.add("--unshare-user")
	}
	for _, path := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"} {
		m.system(path)
	}
	m.directory("/etc")
	for _, path := range []string{"/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives"} {
		m.add("--ro-bind-try", path, path)
	}
	for _, path := range c.python.paths() {
		m.readOnly(path)
	}
	size := strconv.FormatInt(c.limits.Scratch, 10)
	m.add("--proc", "/proc", "--dev", "/dev", "--size", size, "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev")
	m.add("--size", size, "--perms", "1777", "--tmpfs", "/tmp")
	m.made["/tmp"] = true
	m.directory(filepath.Dir(source))
	m.add("--ro-bind", scratch, source)
	m.directory(filepath.Dir(scratch))
	m.add("--size", size, "--perms", "0777", "--tmpfs", scratch, "--remount-ro", "/", "--chdir", scratch, "--")
	return m.argv
}

// mounts is bwrap's command line as it grows.
type mounts struct {
	argv []string
	made map[string]bool // directories that are there already
}

func (m *mounts) add(argv ...string) { m.argv = append(m.argv, argv...) }

// directory makes one with its parents, open to everybody: bwrap would copy the
// modes of the host's, and /root is closed.
func (m *mounts) directory(path string) {
	if m.made[path] || m.covered(path) {
		return
	}
	m.directory(filepath.Dir(path))
	m.add("--perms", "0755", "--dir", path)
	m.made[path] = true
}

// system shows a directory of the system's, or the link that stands for it.
func (m *mounts) system(path string) {
	info, err := os.Lstat(path)
	if err != nil {
		return
	}
	if info.Mode()&os.ModeSymlink == 0 {
		m.readOnly(path)
		return
	}
	if to, err := os.Readlink(path); err == nil {
		m.add("--symlink", to, path)
	}
}

// readOnly shows a path of the host's.
func (m *mounts) readOnly(path string) {
	if m.covered(path) {
		return
	}
	m.directory(filepath.Dir(path))
	m.add("--ro-bind", path, path)
	m.made[path+"/"] = true
}

// covered reports whether a directory above the path, or the path, is shown.
func (m *mounts) covered(path string) bool {
	for ; path != "/" && path != "."; path = filepath.Dir(path) {
		if m.made[path+"/"] {
			return true
		}
	}
	return false
}

// asUser runs what follows it as a user that nobody else has, if npdb may. A
// limit on processes binds such a user, and not root; setrlimit(2).
func (c *Containment) asUser(scratch string) ([]string, error) {
	if c.setpriv == "" {
		return nil, nil
	}
	id := c.users.first + int(c.program.Add(1)-1)%c.users.count
	if c.level == OwnUser { // bubblewrap's is a copy
		err := filepath.WalkDir(scratch, func(path string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, id, id)
		})
		if err != nil {
			return nil, fmt.Errorf("the scratch directory cannot be given to another user: %w", err)
		}
	}
	user := strconv.Itoa(id)
	return []string{c.setpriv, "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all", "--no-new-privs"}, nil
}

// userRange is numbers for users, of which none is taken.
type userRange struct{ first, count int }

// mappedUsers is a range of numbers that this user namespace has
// (user_namespaces(7)): far from all that are given out, or those of systemd's
// dynamic users.
func mappedUsers() userRange {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return userRange{}
	}
	const block = 1 << 12 // for each server, by its process's number
	for _, r := range []userRange{{0x60000000 + os.Getpid()&0xffff*block, block}, {61184, 65519 - 61184}} {
		for line := range strings.Lines(string(text)) {
			var inside, outside, count int
			if n, _ := fmt.Sscan(line, &inside, &outside, &count); n == 3 && inside <= r.first && r.first+r.count <= inside+count {
				return r
			}
		}
	}
	return userRange{}
}
