package trace

import (
	"os"
	"strconv"
	"strings"
)

// innermost follows first children from a process to one without children (proc(5),
// /proc/PID/task/TID/children).
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
