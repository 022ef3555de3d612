package journal

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile waits for an exclusive lock on a file. The lock is held until the file is closed.
func lockFile(file *os.File) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{})
}
