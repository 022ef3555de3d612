//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// Hide implements frontend.Hider: until show is called, the terminal echoes only line ends.
func (s *Stdin) Hide() (show func()) {
	fd := int(os.Stdin.Fd())
	mode, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil || mode.Lflag&unix.ECHO == 0 {
		return func() {}
	}
	unseen := *mode
	unseen.Lflag = unseen.Lflag&^unix.ECHO | unix.ECHONL
	if unix.IoctlSetTermios(fd, setTermios, &unseen) != nil {
		return func() {}
	}
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, mode) } // fails if the terminal was closed
}
