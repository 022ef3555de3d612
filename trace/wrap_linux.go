package trace

import (
	"os"
	"strconv"
	"strings"
)

// innermost returns the process that a wrapping command runs: it follows the first child of
// each process down to a process without children (proc(5), /proc/PID/task/TID/children).
func innermost(pid int) int {
	for {
		at := strconv.Itoa(pid)
		children, err := os.ReadFile("/proc/" + at + "/task/" + at + "/children")
		if err != nil {
			return pid
		}
		first, _, _ := strings.Cut(string(children), " ")
		child, err := strconv.Atoi(first)
		if err != nil {
			return pid
		}
		pid = child
	}
}
