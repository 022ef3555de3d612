//go:build unix

package saved

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock locks a file until the file is closed. It returns false if another process has locked the file. On a
// file system without locks it returns true.
func lock(file *os.File) bool {
	return !errors.Is(unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK)
}
