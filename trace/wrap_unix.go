//go:build unix && !linux

package trace

// innermost returns the wrapping command's own process: it has to exec the
// interpreter.
func innermost(pid int) int { return pid }
