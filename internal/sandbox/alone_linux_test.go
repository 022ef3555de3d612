//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/binary"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// answer runs a filter for a system call and returns the filter's result.
func answer(t *testing.T, program []byte, machine, call uint32, arguments ...uint32) int {
	t.Helper()
	var raw []bpf.RawInstruction
	for ; len(program) > 0; program = program[8:] {
		raw = append(raw, bpf.RawInstruction{
			Op: binary.NativeEndian.Uint16(program), Jt: program[2], Jf: program[3], K: binary.NativeEndian.Uint32(program[4:]),
		})
	}
	found, whole := bpf.Disassemble(raw)
	if !whole {
		t.Fatal("these are no instructions")
	}
	vm, err := bpf.NewVM(found)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 64) // struct seccomp_data; x/net's virtual machine reads it like a packet, so it is big-endian
	binary.BigEndian.PutUint32(data, call)
	binary.BigEndian.PutUint32(data[4:], machine)
	for i, argument := range arguments {
		binary.BigEndian.PutUint32(data[16+8*i:], argument)
	}
	said, err := vm.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func TestAlone(t *testing.T) {
	const me, other = 4711, 4710
	program, pids := Alone()
	for _, at := range pids {
		binary.NativeEndian.PutUint32(program[8*at+4:], me)
	}
	const allowed = unix.SECCOMP_RET_ALLOW
	refused := func(err unix.Errno) int { return unix.SECCOMP_RET_ERRNO | int(err) }
	for name, c := range map[string]struct {
		call      uint32
		arguments []uint32
		want      int
	}{
		"a thread":                   {unix.SYS_CLONE, []uint32{unix.CLONE_VM | unix.CLONE_THREAD}, allowed},
		"a process":                  {unix.SYS_CLONE, []uint32{uint32(unix.SIGCHLD)}, refused(unix.EAGAIN)},
		"a name space":               {unix.SYS_CLONE, []uint32{unix.CLONE_NEWUSER | unix.CLONE_THREAD}, refused(unix.EPERM)},
		"clone3":                     {unix.SYS_CLONE3, nil, refused(unix.ENOSYS)},
		"another program":            {unix.SYS_EXECVE, nil, refused(unix.EPERM)},
		"a signal to itself":         {unix.SYS_KILL, []uint32{me, 9}, allowed},
		"a signal to another":        {unix.SYS_KILL, []uint32{other, 9}, refused(unix.EPERM)},
		"a signal to all":            {unix.SYS_KILL, []uint32{1<<32 - 1, 9}, refused(unix.EPERM)},
		"a signal to the group":      {unix.SYS_KILL, []uint32{0, 9}, refused(unix.EPERM)},
		"a signal to its thread":     {unix.SYS_TGKILL, []uint32{me, me, 6}, allowed},
		"a signal to another's":      {unix.SYS_TGKILL, []uint32{other, other, 6}, refused(unix.EPERM)},
		"its limits by 0":            {unix.SYS_PRLIMIT64, []uint32{0, 7}, allowed},
		"its limits":                 {unix.SYS_PRLIMIT64, []uint32{me, 7}, allowed},
		"another's limits":           {unix.SYS_PRLIMIT64, []uint32{other, 7}, refused(unix.EPERM)},
		"a descriptor's owner":       {unix.SYS_FCNTL, []uint32{3, unix.F_SETOWN}, refused(unix.EPERM)},
		"a descriptor's signal":      {unix.SYS_FCNTL, []uint32{3, unix.F_SETSIG}, refused(unix.EPERM)},
		"a descriptor's flags":       {unix.SYS_FCNTL, []uint32{3, unix.F_GETFD}, allowed},
		"an owner by ioctl":          {unix.SYS_IOCTL, []uint32{3, fioSetOwn}, refused(unix.EPERM)},
		"a size by ioctl":            {unix.SYS_IOCTL, []uint32{3, unix.TIOCGWINSZ}, allowed},
		"outliving its parent":       {unix.SYS_PRCTL, []uint32{unix.PR_SET_PDEATHSIG, 0}, refused(unix.EPERM)},
		"its name":                   {unix.SYS_PRCTL, []uint32{unix.PR_SET_NAME}, allowed},
		"a pair of streams":          {unix.SYS_SOCKETPAIR, []uint32{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_CLOEXEC}, allowed},
		"a pair of datagrams":        {unix.SYS_SOCKETPAIR, []uint32{unix.AF_UNIX, unix.SOCK_DGRAM | unix.SOCK_CLOEXEC}, refused(unix.EPERM)},
		"a pair of another family":   {unix.SYS_SOCKETPAIR, []uint32{unix.AF_TIPC, unix.SOCK_STREAM}, refused(unix.EAFNOSUPPORT)},
		"a socket":                   {unix.SYS_SOCKET, []uint32{unix.AF_INET, unix.SOCK_STREAM}, refused(unix.EAFNOSUPPORT)},
		"a socket of this machine's": {unix.SYS_SOCKET, []uint32{unix.AF_UNIX, unix.SOCK_STREAM}, refused(unix.EAFNOSUPPORT)},
		"a socket of the kernel's":   {unix.SYS_SOCKET, []uint32{unix.AF_NETLINK, unix.SOCK_RAW}, refused(unix.EAFNOSUPPORT)},
		"a debugger":                 {unix.SYS_PTRACE, nil, refused(unix.EPERM)},
		"memory of a file":           {unix.SYS_MEMFD_CREATE, nil, refused(unix.ENOSYS)},
		"reading":                    {unix.SYS_READ, []uint32{0}, allowed},
	} {
		if got := answer(t, program, thisMachine, c.call, c.arguments...); got != c.want {
			t.Errorf("%s: %#x, want %#x", name, got, c.want)
		}
	}
	if got := uint32(answer(t, program, thisMachine^1, unix.SYS_READ)); got != unix.SECCOMP_RET_KILL_PROCESS {
		t.Errorf("another machine's call: %#x", got)
	}
	for _, call := range forks {
		if got := answer(t, program, thisMachine, call); got != refused(unix.EAGAIN) {
			t.Errorf("fork %d: %#x", call, got)
		}
	}
}
