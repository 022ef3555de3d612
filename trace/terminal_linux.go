package trace

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	getTermios  = unix.TCGETS
	setTermios  = unix.TCSETS
	noCharacter = 0 // _POSIX_VDISABLE
	// quotesLines says that a line end after Ctrl-V is ordinary text and does not end a read.
	quotesLines = true
)

// awaited reports whether the program waits for input on the terminal: its main thread is
// in a system call, and one of its threads, or of its descendants' threads, is in read(2)
// on an empty terminal (proc(5), /proc/PID/syscall). So npdb detects reads that do not use
// sys.stdin. It does not detect waits in poll(2) or select(2), nor reads with a timeout.
func (t *terminal) awaited(pid int) bool {
	if _, _, in := systemCall(pid, pid); !in || t.readable() {
		return false
	}
	mode, err := t.mode()
	if err != nil || mode.Lflag&unix.ICANON == 0 && mode.Cc[unix.VMIN] == 0 {
		return false
	}
	var own unix.Stat_t
	err = t.control(func(fd int) error { return unix.Fstat(fd, &own) })
	return err == nil && readBy(pid, own.Rdev)
}

// controlling is the device number of /dev/tty, which is each process's own terminal.
var controlling = unix.Mkdev(5, 0)

// readBy reports whether a process or one of its descendants is reading a terminal.
func readBy(pid int, device uint64) bool {
	for _, thread := range threads(pid) {
		number, fd, in := systemCall(pid, thread)
		if in && number == unix.SYS_READ {
			var file unix.Stat_t
			if err := unix.Stat(fmt.Sprintf("/proc/%d/fd/%d", pid, fd), &file); err == nil && (file.Rdev == device || file.Rdev == controlling) {
				return true
			}
		}
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, thread))
		for child := range strings.FieldsSeq(string(children)) {
			if n, err := strconv.Atoi(child); err == nil && readBy(n, device) {
				return true
			}
		}
	}
	return false
}

// threads returns the thread ids of a process.
func threads(pid int) (all []int) {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// systemCall returns the system call in which a thread waits and its first argument. in is
// false if the thread runs or the system does not report it.
func systemCall(pid, thread int) (number int, first uint64, in bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/syscall", pid, thread))
	if err != nil {
		return 0, 0, false
	}
	if n, err := fmt.Sscanf(string(text), "%d 0x%x", &number, &first); n < 2 || err != nil || number < 0 {
		return 0, 0, false
	}
	return number, first, true
}

// still reports whether every thread of the program is in a system call.
func (p *process) still() bool {
	all := threads(p.tracer.Pid)
	for _, thread := range all {
		if _, _, in := systemCall(p.tracer.Pid, thread); !in {
			return false
		}
	}
	return len(all) > 0
}
