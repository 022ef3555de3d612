//go:build unix

package plainfile

import "syscall"

// nonblocking has a pipe opened at once, whoever writes to it.
const nonblocking = syscall.O_NONBLOCK
