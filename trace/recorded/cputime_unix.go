//go:build unix

package recorded

import (
	"errors"
	"os/exec"
	"syscall"
)

// outOfTime reports whether a process was ended by its limit of processor time.
// state is what exec.Cmd.Wait returned.
func outOfTime(state error) bool {
	var exit *exec.ExitError
	if !errors.As(state, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}
