//go:build unix

package recorder

import (
	"os/exec"
	"syscall"
)

// setApart starts a process in its own session, so that signals from the terminal do not
// reach it.
func setApart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killGroup kills the process and its group. If the process is in a sandbox, everything in
// the sandbox ends.
func (p *process) killGroup() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
