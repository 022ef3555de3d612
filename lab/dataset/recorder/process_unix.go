//go:build unix

package recorder

import (
	"os/exec"
	"syscall"
)

// setApart gives a process its own session, so that the terminal's signals do not reach
// it.
func setApart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killGroup ends the process and, if it is in a sandbox, everything in it.
func (p *process) killGroup() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
