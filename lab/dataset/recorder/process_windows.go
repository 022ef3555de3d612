package recorder

import "os/exec"

// setApart does nothing: on Windows Python cannot fork, so recording has already failed.
func setApart(*exec.Cmd) {}

func (p *process) killGroup() { _ = p.cmd.Process.Kill() }
