//go:build unix

package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile waits for an exclusive lock on a file. The lock is held until the file is closed.
func lockFile(file *os.File) error {
	for {
		if err := unix.Flock(int(file.Fd()), unix.LOCK_EX); err != unix.EINTR {
			return err
		}
	}
}
