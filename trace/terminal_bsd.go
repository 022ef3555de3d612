//go:build unix && !linux

package trace

import "golang.org/x/sys/unix"

const (
	getTermios  = unix.TIOCGETA
	setTermios  = unix.TIOCSETA
	noCharacter = 0xff // _POSIX_VDISABLE
	quotesLines = false
)

// awaited always reports false. Only Linux shows whether a program reads the terminal
// without sys.stdin.
func (t *terminal) awaited(int) bool { return false }

func (p *process) still() bool { return false }
