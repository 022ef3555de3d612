package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confineWord is the first argument of this program where it only limits itself
// and becomes another: a filter of system calls is taken upon oneself.
const confineWord = "npdb-confine"

// Confining returns the command that has what follows it run under the filter; nil
// where there is none.
func Confining() []string {
	if syscallFilter(true) == nil {
		return nil
	}
	return []string{"/proc/self/exe", confineWord}
}

// filterFile returns the filter as bwrap reads it: a path that can be opened as long
// as the file is, and again for each program; "" where there is none.
func filterFile() (kept *os.File, path string, err error) {
	filter := syscallFilter(false)
	if filter == nil {
		return nil, "", nil
	}
	fd, err := unix.MemfdCreate("npdb-filter", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, "", os.NewSyscallError("memfd_create", err)
	}
	kept = os.NewFile(uintptr(fd), "npdb-filter")
	if _, err := kept.Write(filter); err != nil {
		return nil, "", errors.Join(err, kept.Close())
	}
	return kept, fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd), nil
}

// Whatever program has this package in it can be the command: so it need not
// know of it, and neither need tests.
func init() {
	if len(os.Args) < 3 || os.Args[1] != confineWord {
		return
	}
	fmt.Fprintln(os.Stderr, "npdb cannot limit the program's system calls:", confine(os.Args[2:]))
	os.Exit(1)
}

// confine becomes another program, under the filter. It returns why it cannot.
func confine(argv []string) error {
	runtime.LockOSThread() // the filter is this thread's, and what execs is this thread
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	filter := syscallFilter(true)
	if len(filter) == 0 {
		return errors.ErrUnsupported
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	program := unix.SockFprog{Len: uint16(len(filter) / unix.SizeofSockFilter), Filter: (*unix.SockFilter)(unsafe.Pointer(unsafe.SliceData(filter)))}
	if _, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))); err != 0 {
		return os.NewSyscallError("seccomp", err)
	}
	return os.NewSyscallError("execve", syscall.Exec(path, argv, os.Environ()))
}
