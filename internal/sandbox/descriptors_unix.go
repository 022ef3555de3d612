//go:build unix

package sandbox

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// KeepDescriptors prevents child processes from inheriting the file descriptors with which this
// process was started, except the standard streams. Descriptors that Go opens are never inherited.
func KeepDescriptors() error {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return fmt.Errorf("it is not known which descriptors programs would inherit: %w", err)
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}
