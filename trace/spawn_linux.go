package trace

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// ownSession puts the program into a session of its own: the terminal's
// signals are npdb's, and the group can be ended as a whole. It does not
// outlive npdb.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// readableBytes is the ioctl that counts the bytes waiting in a pipe: FIONREAD.
const readableBytes = unix.TIOCINQ
