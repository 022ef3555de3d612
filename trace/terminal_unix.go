//go:build unix

package trace

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// terminal is a pseudoterminal: the program's controlling terminal.
type terminal struct {
	master *os.File // npdb types input by writing to it; the drain reads and closes it
	slave  *os.File // kept open, because the master reads an end of file while no process has it open

	mu    sync.Mutex
	queue [][]byte // keys that are not typed yet
}

// newTerminal opens a terminal that passes output bytes through unchanged. Its echo is on so
// that npdb detects when the program switches it off.
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

// unblocked closes a file and returns a copy that waits in Go's poller. The library's file
// waits in the kernel, where closing it does not end the wait.
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

// setMode sets npdb's default mode: lines, the signal of ^C and echo as usual; no \r before
// \n; and no characters that edit a line, stop output, or stop or end the program, because
// lines are edited in npdb before they get here.
func setMode(mode *unix.Termios) {
	mode.Iflag |= unix.ICRNL
	mode.Iflag &^= unix.IXON | unix.IXOFF | unix.IXANY | unix.IMAXBEL
	mode.Oflag &^= unix.ONLCR
	mode.Lflag |= unix.ICANON | unix.ISIG | unix.ECHO
	for _, c := range []int{
		unix.VERASE, unix.VKILL, unix.VWERASE, unix.VREPRINT, unix.VLNEXT,
		unix.VSUSP, unix.VQUIT, unix.VSTART, unix.VSTOP,
	} {
		mode.Cc[c] = noCharacter
	}
}

// control runs an ioctl or similar call on the slave.
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

// mode returns the terminal's mode, which the program may have changed.
func (t *terminal) mode() (mode *unix.Termios, err error) {
	err = t.control(func(fd int) error {
		mode, err = unix.IoctlGetTermios(fd, getTermios)
		return err
	})
	return mode, err
}

// readable reports whether a read by the program would return at once.
func (t *terminal) readable() bool {
	ready := true // closed: a read returns the end
	_ = t.control(func(fd int) error {
		polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(polled, 0)
		ready = n > 0 || err != nil
		return err
	})
	return ready
}

// input types as much of text as the program can take now; feed types the rest.
func (t *terminal) input(text string, eof bool) error {
	mode, err := t.mode()
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.queue = append(t.queue, typed(text, eof, mode)...)
	t.mu.Unlock()
	return t.feed()
}

// feed types the next queued keys unless the program has unread input. So the kernel never
// buffers more than one line, and accepts it at once: see quietly.
func (t *terminal) feed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.queue) > 0 && !t.readable() {
		keys := t.queue[0]
		t.queue = t.queue[1:]
		mode, err := t.mode()
		if err == nil && mode.Lflag&unix.ECHO != 0 {
			err = t.quietly(keys, mode)
		} else if err == nil {
			_, err = t.master.Write(keys)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pending reports whether keys are queued.
func (t *terminal) pending() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queue) > 0
}

// quietly types keys with the echo switched off temporarily, because npdb itself shows the
// program's input. The program must not receive the line before the echo is on again,
// because it might switch the echo off itself in between. So, where the system supports
// it, the line end is typed as text, and the end-of-file character submits the line.
func (t *terminal) quietly(keys []byte, mode *unix.Termios) error {
	quiet := *mode
	quiet.Lflag &^= unix.ECHO
	var end []byte
	if eof := mode.Cc[unix.VEOF]; quotesLines && mode.Lflag&unix.ICANON != 0 {
		quiet.Lflag |= unix.IEXTEN
		quiet.Cc[unix.VLNEXT] = quote
		line, whole := bytes.CutSuffix(bytes.TrimSuffix(keys, []byte{eof}), []byte("\n"))
		keys, end = bytes.ReplaceAll(line, []byte{quote}, []byte{quote, quote}), []byte{eof}
		if whole {
			keys = append(keys, quote, '\n')
		}
	}
	if err := t.setMode(&quiet); err != nil {
		return err
	}
	_, err := t.master.Write(keys)
	t.readable() // waits until the kernel has accepted the keys; Linux does this in another thread
	if e := t.setMode(mode); e != nil {
		return errors.Join(err, e)
	}
	if err == nil {
		_, err = t.master.Write(end)
	}
	return err
}

// quote is the character that makes the next one plain text: Ctrl-V, as usual.
const quote = 0x16

func (t *terminal) setMode(mode *unix.Termios) error {
	return t.control(func(fd int) error { return unix.IoctlSetTermios(fd, setTermios, mode) })
}

// longestLine is below the length of an unfinished line that kernels buffer: 4095 bytes on
// Linux (N_TTY_BUF_SIZE), 1024 on macOS (MAX_CANON).
const longestLine = 1000

// typed returns the keys that enter a text, one line at a time, and the end of input if eof. In
// canonical mode the end-of-file character submits the characters typed so far: a part of a
// line that is too long for the kernel, or text without a line end. Without characters before
// it, it means end of file.
func typed(text string, eof bool, mode *unix.Termios) (pieces [][]byte) {
	end := string([]byte{mode.Cc[unix.VEOF]})
	add := func(keys string) { pieces = append(pieces, []byte(keys)) }
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if mode.Lflag&unix.ICANON == 0 {
		if mode.Iflag&unix.ICRNL == 0 { // Enter is \r and is not translated
			text = strings.ReplaceAll(text, "\n", "\r")
		}
		if eof {
			text += end
		}
		if text != "" {
			add(text)
		}
		return pieces
	}
	for line := range strings.Lines(text) {
		for len(line) > longestLine {
			add(line[:longestLine] + end)
			line = line[longestLine:]
		}
		if !strings.HasSuffix(line, "\n") {
			line += end
		}
		add(line)
	}
	if eof {
		add(end)
	}
	return pieces
}

// close closes both ends of the terminal. The program then receives SIGHUP.
func (t *terminal) close() {
	_ = t.master.Close()
	_ = t.slave.Close()
}
