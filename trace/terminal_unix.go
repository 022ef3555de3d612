//go:build unix

package trace

import (
	"bytes"
	"os"
	"strings"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// terminal is a pseudoterminal: the program's controlling terminal.
type terminal struct {
	master *os.File // what is written there is typed; its drain reads and closes it
	slave  *os.File // open here too, so that the master never reads an end while nobody has it open
}

// newTerminal opens a terminal that shows bytes as they are written and does not
// echo, for npdb shows itself what it gives the program.
func newTerminal(size Terminal) (*terminal, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	t := &terminal{slave: slave}
	if t.master, err = unblocked(master); err == nil {
		err = t.resize(size)
	}
	if err == nil {
		err = t.control(func(fd int) error {
			mode, err := unix.IoctlGetTermios(fd, getTermios)
			if err != nil {
				return err
			}
			setMode(mode)
			return unix.IoctlSetTermios(fd, setTermios, mode)
		})
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// unblocked is a file, which it closes, that waits in Go's poller: the library's
// waits in the kernel, where closing it does not end that.
func unblocked(file *os.File) (*os.File, error) {
	defer func() { _ = file.Close() }()
	fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), file.Name()), nil
}

// setMode makes a terminal's usual mode npdb's: lines, and signals of ^C, as
// usual; no echo, no \r before \n, and no character that edits a line, stops
// output, or stops or ends the program, for a line is edited in npdb before it
// gets here.
func setMode(mode *unix.Termios) {
	mode.Iflag |= unix.ICRNL
	mode.Iflag &^= unix.IXON | unix.IXOFF | unix.IXANY | unix.IMAXBEL
	mode.Oflag &^= unix.ONLCR
	mode.Lflag |= unix.ICANON | unix.ISIG
	mode.Lflag &^= unix.ECHO
	for _, c := range []int{
		unix.VERASE, unix.VKILL, unix.VWERASE, unix.VREPRINT, unix.VLNEXT,
		unix.VSUSP, unix.VQUIT, unix.VSTART, unix.VSTOP,
	} {
		mode.Cc[c] = noCharacter
	}
}

// control runs an ioctl or the like on the slave.
func (t *terminal) control(f func(fd int) error) error {
	raw, err := t.slave.SyscallConn()
	if err != nil {
		return err
	}
	if e := raw.Control(func(fd uintptr) { err = f(int(fd)) }); e != nil {
		return e
	}
	return err
}

func (t *terminal) resize(size Terminal) error {
	cells := func(n, otherwise int) uint16 {
		if n <= 0 {
			n = otherwise
		}
		return uint16(min(n, 1<<16-1))
	}
	return t.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: cells(size.Columns, 80), Row: cells(size.Rows, 24)})
	})
}

// mode is what the program has made of the terminal's mode.
func (t *terminal) mode() (mode *unix.Termios, err error) {
	err = t.control(func(fd int) error {
		mode, err = unix.IoctlGetTermios(fd, getTermios)
		return err
	})
	return mode, err
}

// readable reports whether a read would not wait.
func (t *terminal) readable() bool {
	ready := true // closed: the program is about to read the end
	_ = t.control(func(fd int) error {
		polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(polled, 0)
		ready = n > 0 || err != nil
		return err
	})
	return ready
}

// input types text.
func (t *terminal) input(text string, eof bool) error {
	mode, err := t.mode()
	if err != nil {
		return err
	}
	_, err = t.master.Write(typed(text, eof, mode))
	return err
}

// longestLine is less than what kernels keep of a line that has not ended: 4095
// bytes on Linux (N_TTY_BUF_SIZE), 1024 on macOS (MAX_CANON).
const longestLine = 1000

// typed is what has to be typed for a program to read a text, and its end. In
// canonical mode the end-of-file character hands on what is typed so far: a
// piece of a line that is too long for the kernel, or text without a line end.
// With nothing before it, it is the end.
func typed(text string, eof bool, mode *unix.Termios) []byte {
	end := mode.Cc[unix.VEOF]
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var keys bytes.Buffer
	if mode.Lflag&unix.ICANON == 0 {
		if mode.Iflag&unix.ICRNL == 0 { // Enter is \r, and stays it
			text = strings.ReplaceAll(text, "\n", "\r")
		}
		keys.WriteString(text)
	} else {
		for line := range strings.Lines(text) {
			for len(line) > longestLine {
				keys.WriteString(line[:longestLine])
				keys.WriteByte(end)
				line = line[longestLine:]
			}
			keys.WriteString(line)
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			keys.WriteByte(end)
		}
	}
	if eof {
		keys.WriteByte(end)
	}
	return keys.Bytes()
}

// close hangs up.
func (t *terminal) close() {
	_ = t.master.Close()
	_ = t.slave.Close()
}
