//go:build unix

package doctor

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// inForeground reports whether npdb is the terminal's foreground job. A background job is
// stopped when it changes the terminal's modes.
func inForeground(terminal *os.File) bool {
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err != nil || group == syscall.Getpgrp()
}
