package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// source is where the sandbox has the program's files before they are copied.
const source = "/run/npdb/program"

// sandbox is bwrap with its options (bwrap(1)). Of the host there are the system
// and the interpreter, for reading; all that a program writes goes to memory file
// systems of a fixed size and is gone with it.
func (c *Containment) sandbox(scratch string) []string {
	m := c.bwrap.System(c.python)
	size := strconv.FormatInt(c.limits.Scratch, 10)
	m.Add("--size", size, "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev")
	m.Add("--size", size, "--perms", "1777", "--tmpfs", "/tmp")
	m.Made("/tmp")
	m.Directory(filepath.Dir(source))
	m.Add("--ro-bind", scratch, source)
	m.Directory(filepath.Dir(scratch))
	m.Add("--size", size, "--perms", "0777", "--tmpfs", scratch, "--remount-ro", "/", "--chdir", scratch)
	return m.Command()
}

// asUser runs what follows it as a user that nobody else has, if npdb may. A
// limit on processes binds such a user, and not root; setrlimit(2).
func (c *Containment) asUser(scratch string) ([]string, error) {
	if c.users == nil {
		return nil, nil
	}
	id := c.users.Number(int(c.program.Add(1) - 1))
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
	return c.users.As(id), nil
}
