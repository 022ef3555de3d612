//go:build unix && !linux

package trace

import "syscall"

// ownSession puts the program into a session of its own: the terminal's
// signals are npdb's, and the group can be ended as a whole.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

// readableBytes is the ioctl that counts the bytes waiting in a pipe: FIONREAD.
const readableBytes = 0x4004667f
