package contain

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/npdb/npdb/internal/sandbox"
)

// source is the path of the program's files in the sandbox, from where they are copied.
const source = "/run/npdb/program"

// sandbox returns the bwrap command with its options (bwrap(1)). The sandbox contains only
// the host's system files and the interpreter, read-only. The program writes to memory
// file systems of a fixed size, which end with the sandbox.
func (c *Containment) sandbox(scratch string) []string {
	m := c.system()
	m.Directory(filepath.Dir(source))
	m.Add("--ro-bind", scratch, source)
	m.Directory(filepath.Dir(scratch))
	m.Add("--size", c.scratchSize(), "--perms", "0777", "--tmpfs", scratch, "--remount-ro", "/", "--chdir", scratch)
	return m.Command()
}

// inPlace returns a sandbox that shows folders read-only at their own paths. The program runs in dir.
func (c *Containment) inPlace(folders []string, dir string) []string {
	m := c.system()
	for _, folder := range folders {
		m.ReadOnly(folder)
	}
	m.Add("--remount-ro", "/", "--chdir", dir)
	return m.Command()
}

// system returns a sandbox with an empty /tmp and /dev/shm.
func (c *Containment) system() *sandbox.Mounts {
	m := c.bwrap.System(c.python)
	m.Add("--size", c.scratchSize(), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev")
	m.Add("--size", c.scratchSize(), "--perms", "1777", "--tmpfs", "/tmp")
	m.Made("/tmp")
	return m
}

func (c *Containment) scratchSize() string { return strconv.FormatInt(c.limits.Scratch, 10) }

// asUser returns a command prefix that runs a command as a user without any other process, or
// nil if npdb is not allowed to do that. A limit on processes applies to such a user, but not
// to root (setrlimit(2)).
func (c *Containment) asUser(scratch string) ([]string, error) {
	if c.users == nil {
		return nil, nil
	}
	id := c.users.Number(int(c.program.Add(1) - 1))
	if c.level == OwnUser { // in a sandbox, the program has a copy that it may change
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
	return c.users.As(id), nil
}
