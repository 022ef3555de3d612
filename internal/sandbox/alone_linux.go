//go:build linux && (amd64 || arm64)

package sandbox

import (
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// touching lists the system calls with which a process can affect another process of its user, or
// execute another program.
var touching = []uint32{
	unix.SYS_EXECVE, unix.SYS_EXECVEAT,
	unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_SETPGID, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
	unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_SETAFFINITY,
	unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES, unix.SYS_PROCESS_MRELEASE,
}

// The ioctl commands that set which process gets a descriptor's signals (asm-generic/sockios.h).
const fioSetOwn, siocSetGroup = 0x8901, 0x8902

// socketTypes is the mask of a socket's type without its flags (SOCK_TYPE_MASK of the
// kernel's linux/net.h).
const socketTypes = 0xf

// Alone returns a seccomp filter for a process that must not affect other processes. The process
// may have threads but no children, send signals only to itself, set only its own limits, and have
// no sockets except connected pairs. It cannot change the signal that it gets when its parent ends.
// Before it installs the filter, the process must write its process id into the operands of the
// instructions at pids. The filter does not restrict access through files, including those in
// /proc. program is nil if npdb has no filter for this system.
func Alone() (program []byte, pids []int) {
	f := newFilter()
	f.deny(unix.EPERM, touching...)
	f.deny(unix.EAGAIN, forks...)
	f.look(unix.SYS_CLONE, firstArgument, bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.CLONE_THREAD, SkipTrue: 1}, give(unix.EAGAIN),
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: newNamespaces, SkipFalse: 1}, give(unix.EPERM), allow)
	itself := func(call uint32) {
		pids = append(pids, f.look(call, firstArgument, bpf.JumpIf{Cond: bpf.JumpEqual, SkipTrue: 1}, give(unix.EPERM), allow))
	}
	itself(unix.SYS_KILL)
	itself(unix.SYS_TGKILL)
	limits := f.look(unix.SYS_PRLIMIT64, firstArgument, bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpEqual, SkipTrue: 1}, give(unix.EPERM), allow)
	pids = append(pids, limits+1)
	signalling := map[uint32][]uint32{
		unix.SYS_FCNTL: {unix.F_SETOWN, unix.F_SETSIG, unix.F_SETOWN_EX},
		unix.SYS_IOCTL: {fioSetOwn, siocSetGroup},
	}
	for _, call := range []uint32{unix.SYS_FCNTL, unix.SYS_IOCTL} {
		var test []bpf.Instruction
		for _, command := range signalling[call] {
			test = append(test, bpf.JumpIf{Cond: bpf.JumpEqual, Val: command, SkipFalse: 1}, give(unix.EPERM))
		}
		f.look(call, secondArgument, append(test, allow)...)
	}
	// The process must not change the signal that it gets when its parent ends.
	f.look(unix.SYS_PRCTL, firstArgument, bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.PR_SET_PDEATHSIG, SkipFalse: 1}, give(unix.EPERM), allow)
	f.deny(unix.EAFNOSUPPORT, unix.SYS_SOCKET)
	// Each end of a stream pair can send only to the other end. A datagram socket could send to any
	// socket.
	f.look(unix.SYS_SOCKETPAIR, firstArgument, bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipTrue: 1}, give(unix.EAFNOSUPPORT),
		bpf.LoadAbsolute{Off: secondArgument, Size: 4}, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: socketTypes},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_STREAM, SkipTrue: 1}, give(unix.EPERM), allow)
	f.denyOthers(true)
	return f.assemble(), pids
}
