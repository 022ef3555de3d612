package sandbox

import "golang.org/x/sys/unix"

// The number of the machine, which has no second set of calls.
const (
	thisMachine  = unix.AUDIT_ARCH_AARCH64
	otherNumbers = 0x40000000
)

// deniedHere lists calls that other machines do not have.
var deniedHere = []uint32{unix.SYS_NFSSERVCTL}

// forks lists the calls that only create a process.
var forks []uint32
