//go:build unix

package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile waits for a file to be this process's alone, until it is closed.
func lockFile(file *os.File) error {
	for {
		if err := unix.Flock(int(file.Fd()), unix.LOCK_EX); err != unix.EINTR {
			return err
		}
	}
}
