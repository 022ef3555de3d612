//go:build unix && !linux

package trace

// innermost returns the wrapping command's own process, because here the command must exec
// the interpreter.
func innermost(pid int) int { return pid }
