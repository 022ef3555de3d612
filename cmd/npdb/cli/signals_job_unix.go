//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// leaveQuietly has a stopped npdb that a shell ends, with kill %1, put the terminal
// in order from the background, where that would stop it again.
func leaveQuietly() { signal.Ignore(syscall.SIGTTOU) }
