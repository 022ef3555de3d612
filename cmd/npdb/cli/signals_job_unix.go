//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// leaveQuietly lets a stopped npdb that a shell ends (kill %1) restore the terminal from
// the background. Otherwise SIGTTOU would stop npdb again.
func leaveQuietly() { signal.Ignore(syscall.SIGTTOU) }
