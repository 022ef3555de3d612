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

// confineWord is the first argument of a process that installs the seccomp filter and then executes
// another program. A separate process is necessary, because a process can install a filter only for
// itself.
const confineWord = "npdb-confine"

// Confining returns a command prefix that runs a command under the seccomp filter, or nil if there
// is no filter.
func Confining() []string {
	if syscallFilter(true) == nil {
		return nil
	}
	return []string{"/proc/self/exe", confineWord}
}

// filterFile writes the seccomp filter to a file for bwrap. path is valid while kept is open; each
// bwrap opens it again. path is "" if there is no filter.
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

// init executes the command of Confining if the first argument is confineWord. So any program that
// contains this package can serve as that command, even a test binary.
func init() {
	if len(os.Args) < 3 || os.Args[1] != confineWord {
		return
	}
	fmt.Fprintln(os.Stderr, "npdb cannot limit the program's system calls:", confine(os.Args[2:]))
	os.Exit(1)
}

// confine executes another program under the seccomp filter. It returns only if that fails.
func confine(argv []string) error {
	runtime.LockOSThread() // the filter applies to this thread, which then executes the program
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
