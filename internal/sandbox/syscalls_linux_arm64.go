package sandbox

import "golang.org/x/sys/unix"

// The machine's number; it has no second set of calls.
const (
	thisMachine  = unix.AUDIT_ARCH_AARCH64
	otherNumbers = 0x40000000
)

// deniedHere are calls that other machines lack.
var deniedHere = []uint32{unix.SYS_NFSSERVCTL}

// forks are the calls that make a process and nothing else.
var forks []uint32
