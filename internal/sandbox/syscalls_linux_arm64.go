package sandbox

import "golang.org/x/sys/unix"

// The architecture's number. This architecture has no second set of calls, so otherNumbers is never
// reached.
const (
	thisMachine  = unix.AUDIT_ARCH_AARCH64
	otherNumbers = 0x40000000
)

// deniedHere lists denied calls that other architectures do not have.
var deniedHere = []uint32{unix.SYS_NFSSERVCTL}

// forks lists the calls that only create a process.
var forks []uint32
