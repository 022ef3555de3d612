//go:build unix && !linux

package trace

import "syscall"

// ownSession runs the program in its own session, so that npdb receives the terminal's
// signals and can end the whole group.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

// readableBytes is the ioctl that counts the bytes waiting in a pipe: FIONREAD.
const readableBytes = 0x4004667f
