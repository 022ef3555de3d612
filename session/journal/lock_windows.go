package journal

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile waits for a file to be this process's alone, until it is closed.
func lockFile(file *os.File) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{})
}
