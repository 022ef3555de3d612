//go:build unix

package plainfile

import "syscall"

// nonblocking makes opening a pipe return at once, even if there is no writer.
const nonblocking = syscall.O_NONBLOCK
