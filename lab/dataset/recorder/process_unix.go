//go:build unix

package recorder

import (
	"os/exec"
	"syscall"
)

// setApart has a process lead a session of its own, which signals of the terminal's do not
// reach.
func setApart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killGroup ends the process and, where it is in a sandbox, all in it.
func (p *process) killGroup() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
