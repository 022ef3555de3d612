//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/binary"
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// denied lists the system calls that a program may not make, by the error that they return. ENOSYS
// is for calls that libraries try first and can do without. Some calls are denied because no
// process limit counts the memory that they allocate (memfd_create, System V's IPC), others because
// the filter cannot read their arguments (clone3, io_uring).
var denied = []struct {
	err   unix.Errno
	calls []uint32
}{
	{unix.ENOSYS, []uint32{
		unix.SYS_CLONE3, unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET,
		unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMDT, unix.SYS_SHMCTL,
		unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
		unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	}},
	{unix.EPERM, slices.Concat([]uint32{
		// Namespaces and file systems.
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_SETNS, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT,
		unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
		unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
		// Other processes.
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
		// Kernel internals.
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
		unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
		unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
	}, deniedHere)},
}

// newNamespaces are the flags of clone and unshare that create a namespace.
const newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWTIME

// syscallFilter returns a program for seccomp(2) in the kernel's format. If offline is true, it
// allows only sockets between processes of this machine. Otherwise it allows sockets that a network
// namespace confines; so it denies AF_VSOCK, which reaches outside the namespace.
func syscallFilter(offline bool) []byte {
	f := newFilter()
	f.denyOthers(offline)
	return f.assemble()
}

// filter is a program for seccomp(2) that is being built.
type filter struct{ program []bpf.Instruction }

// The offsets of fields in struct seccomp_data. The offset of an argument is that of its lower
// half, because both supported machines are little-endian.
const number, machine, firstArgument, secondArgument = 0, 4, 16, 24

var (
	allow = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	kill  = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}
)

// give returns an instruction that ends a call with an error.
func give(err unix.Errno) bpf.Instruction {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(err)}
}

func newFilter() *filter {
	return &filter{[]bpf.Instruction{
		bpf.LoadAbsolute{Off: machine, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: thisMachine, SkipTrue: 1},
		kill, // calls of another architecture have other numbers
		bpf.LoadAbsolute{Off: number, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: otherNumbers, SkipFalse: 1},
		kill,
	}}
}

// deny denies calls: they return the error err.
func (f *filter) deny(err unix.Errno, calls ...uint32) {
	for _, call := range calls {
		f.program = append(f.program, bpf.JumpIf{Cond: bpf.JumpEqual, Val: call, SkipFalse: 1}, give(err))
	}
}

// look adds instructions that apply to one call: they load an argument, and then test allows or
// denies the call. It returns the index of the first instruction of test in the filter.
func (f *filter) look(call, argument uint32, test ...bpf.Instruction) int {
	f.program = append(f.program, bpf.JumpIf{Cond: bpf.JumpEqual, Val: call, SkipFalse: uint8(len(test) + 1)},
		bpf.LoadAbsolute{Off: argument, Size: 4})
	f.program = append(f.program, test...)
	return len(f.program) - len(test)
}

// denyOthers denies the calls that no program may make.
func (f *filter) denyOthers(offline bool) {
	for _, d := range denied {
		f.deny(d.err, d.calls...)
	}
	for _, call := range []uint32{unix.SYS_CLONE, unix.SYS_UNSHARE} {
		f.look(call, firstArgument, bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: newNamespaces, SkipFalse: 1}, give(unix.EPERM), allow)
	}
	families := []uint32{unix.AF_UNIX, unix.AF_NETLINK}
	if !offline {
		families = append(families, unix.AF_INET, unix.AF_INET6)
	}
	for _, call := range []uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR} {
		var test []bpf.Instruction
		for _, family := range families {
			test = append(test, bpf.JumpIf{Cond: bpf.JumpEqual, Val: family, SkipFalse: 1}, allow)
		}
		f.look(call, firstArgument, append(test, give(unix.EAFNOSUPPORT))...)
	}
}

// assemble returns the filter in the kernel's format.
func (f *filter) assemble() []byte {
	raw, err := bpf.Assemble(append(f.program, allow))
	if err != nil {
		panic(err) // a bug in this file: the program is fixed
	}
	var b []byte
	for _, i := range raw { // struct sock_filter
		b = binary.NativeEndian.AppendUint16(b, i.Op)
		b = append(b, i.Jt, i.Jf)
		b = binary.NativeEndian.AppendUint32(b, i.K)
	}
	return b
}
