//go:build unix && !linux

package trace

import "golang.org/x/sys/unix"

const (
	getTermios  = unix.TIOCGETA
	setTermios  = unix.TIOCSETA
	noCharacter = 0xff // _POSIX_VDISABLE
	quotesLines = false
)

// awaited would be whether something reads the terminal past sys.stdin: only
// Linux tells.
func (t *terminal) awaited(int) bool { return false }

func (p *process) still() bool { return false }
