package sandbox

import "golang.org/x/sys/unix"

// The machine's number, and where the numbers of x32's calls begin, which are
// the same calls once more.
const (
	thisMachine  = unix.AUDIT_ARCH_X86_64
	otherNumbers = 0x40000000
)

// deniedHere are calls that other machines lack.
var deniedHere = []uint32{
	unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_SYSFS, unix.SYS__SYSCTL, unix.SYS_NFSSERVCTL,
}

// forks are the calls that make a process and nothing else.
var forks = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
