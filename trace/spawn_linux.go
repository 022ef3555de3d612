package trace

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// ownSession runs the program in its own session, so that npdb receives the terminal's
// signals and can end the whole group. The program does not outlive npdb.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// readableBytes is the ioctl that counts the bytes waiting in a pipe: FIONREAD.
const readableBytes = unix.TIOCINQ
