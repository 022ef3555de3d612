//go:build unix

package plainfile

import "syscall"

// nonblocking makes opening a named pipe return immediately, even if the pipe has no writer.
const nonblocking = syscall.O_NONBLOCK
