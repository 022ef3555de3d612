package sandbox

import "golang.org/x/sys/unix"

// The architecture's number, and the first number of the x32 calls, which duplicate all other
// calls.
const (
	thisMachine  = unix.AUDIT_ARCH_X86_64
	otherNumbers = 0x40000000
)

// deniedHere lists denied calls that other architectures do not have.
var deniedHere = []uint32{
	unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_SYSFS, unix.SYS__SYSCTL, unix.SYS_NFSSERVCTL,
}

// forks lists the calls that only create a process.
var forks = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
