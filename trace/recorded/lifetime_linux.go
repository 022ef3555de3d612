package recorded

import "syscall"

// lifetimeOfParent makes the kernel end the worker with npdb, also when npdb
// is killed while the worker is busy and does not see its standard input close.
func lifetimeOfParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
