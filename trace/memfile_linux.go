package trace

import (
	"os"

	"golang.org/x/sys/unix"
)

// memoryFile returns a file that is memory. A kernel, or a sandbox, that has none of
// that kind has files.
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

// fixSize seals the size of a memory file, which the program has open. A file that cannot
// be sealed stays as it is.
func fixSize(file *os.File) {
	_, _ = unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
}
