package trace

import (
	"os"

	"golang.org/x/sys/unix"
)

// memoryFile returns a file that exists only in memory. If the kernel or a sandbox does not
// support such files, it returns a temporary file.
func memoryFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("npdb", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	switch err {
	case nil:
		return os.NewFile(uintptr(fd), "npdb"), nil
	case unix.ENOSYS, unix.EPERM, unix.EINVAL:
		return temporaryFile()
	}
	return nil, err
}

// fixSize seals the size of a memory file, so that the program, which has the file open, cannot
// truncate it. Files that cannot be sealed are left unchanged.
func fixSize(file *os.File) {
	_, _ = unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
}
