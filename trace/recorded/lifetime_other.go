//go:build !linux

package recorded

import "syscall"

// lifetimeOfParent asks for nothing where the kernel offers nothing: the
// worker ends when its standard input closes, and when its time is up.
func lifetimeOfParent() *syscall.SysProcAttr { return nil }
