//go:build unix

package trace

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Enter loads the tracer into the Python process at the other end of a connection, which runs the code
// that it receives (see tracer/enter.py). Of the options it uses those that do not say what to run. The
// folders of the program and the working directory contain user code.
func Enter(ctx context.Context, conn *net.UnixConn, o Options) (*Attachment, Visited, error) {
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(past) })()
	a, v, err := enter(ctx, conn, o)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	for _, gone := range []error{io.EOF, io.ErrUnexpectedEOF, unix.EPIPE, unix.ECONNRESET} {
		if errors.Is(err, gone) {
			return a, v, errors.New("the process closed the connection") // not EPIPE, which is that of npdb's output
		}
	}
	return a, v, err
}

func enter(ctx context.Context, conn *net.UnixConn, o Options) (*Attachment, Visited, error) {
	ours, theirs, err := channels()
	defer theirs.close()
	if err != nil {
		ours.close()
		return nil, Visited{}, fmt.Errorf("no memory or pipes to share with the program: %w", err)
	}
	v, numbers, err := introduced(conn, theirs)
	if err != nil {
		ours.close()
		return nil, Visited{}, err
	}
	o.Python, o.Dir, o.Script, o.Args, o.Module, o.Code = v.Python, v.Dir, v.Main, nil, "", ""
	o.Repeat, o.Branches, o.Budget = false, false, Budget{}
	if err := SendText(conn, Loader(numbers, o)); err != nil {
		ours.close()
		return nil, Visited{}, err
	}
	a, err := Attach(ctx, v.Pid, [4]*os.File(ours), v.roots(), o)
	if err != nil {
		ours.close()
	}
	return a, v, err
}

// roots returns the folders with user code: the working directory, and the program's folder unless the
// program is an installed one, for example pytest.
func (v Visited) roots() []string {
	folder := filepath.Dir(v.Main)
	if v.Main == "" || filepath.Base(folder) == "bin" || strings.Contains(v.Main, "-packages/") {
		return []string{v.Dir}
	}
	return []string{v.Dir, folder}
}

// channels returns the shared memory and npdb's ends of the pipes for events, commands and credits, and
// the descriptors that the other process gets. It opens npdb's ends so that closing them ends a read.
func channels() (ours, theirs ends, err error) {
	memory, err := memoryFile()
	if err != nil {
		return nil, nil, err
	}
	ours, theirs = ends{memory}, ends{}
	shared, err := unix.FcntlInt(memory.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return ours, theirs, err
	}
	theirs = append(theirs, os.NewFile(uintptr(shared), "npdb"))
	for _, pipe := range []func(*ends) (*os.File, *os.File, error){(*ends).read, (*ends).write, (*ends).write} {
		_, mine, err := pipe(&theirs)
		if err != nil {
			return ours, theirs, err
		}
		ours = append(ours, mine)
	}
	return ours, theirs, nil
}

// introduced sends the code and the descriptors, and returns what the process says of itself.
func introduced(conn *net.UnixConn, theirs ends) (v Visited, numbers Theirs, err error) {
	fds := make([]int, len(theirs))
	for i, f := range theirs {
		fds[i] = int(f.Fd())
		if err := unix.SetNonblock(fds[i], false); err != nil { // the tracer waits in its reads
			return v, numbers, err
		}
	}
	code := enterText()
	if _, _, err := conn.WriteMsgUnix(binary.LittleEndian.AppendUint64(nil, uint64(len(code))), unix.UnixRights(fds...), nil); err != nil {
		return v, numbers, err
	}
	if _, err := io.WriteString(conn, code); err != nil {
		return v, numbers, err
	}
	var size [8]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return v, numbers, err
	}
	const most = 1 << 20
	n := binary.LittleEndian.Uint64(size[:])
	if n > most {
		return v, numbers, &ChannelError{fmt.Errorf("the process introduces itself with %d bytes", n)}
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(conn, text); err != nil {
		return v, numbers, err
	}
	return introduction(strings.Split(string(text), "\x00"))
}

// introduction reads the words of enter.py.
func introduction(words []string) (v Visited, numbers Theirs, err error) {
	const counted = 5
	if len(words) != counted+4 {
		return v, numbers, &ChannelError{fmt.Errorf("the process introduces itself with %d words", len(words))}
	}
	var n [counted]int
	for i := range n {
		if n[i], err = strconv.Atoi(words[i]); err != nil {
			return v, numbers, &ChannelError{fmt.Errorf("the process introduces itself with %q", words[i])}
		}
	}
	rest := words[counted:]
	if rest[3] != "" {
		return v, numbers, &StartError{Kind: StartFailed, Message: rest[3]}
	}
	v = Visited{Pid: n[0], Python: rest[0], Dir: rest[1], Main: rest[2]}
	return v, Theirs{Memory: n[1], Events: n[2], Commands: n[3], Credits: n[4]}, nil
}

// dismissal is how long a running program has to end the session before npdb closes the connection.
const dismissal = 2 * time.Second

// dismiss ends the session in a program that may be running: it asks the program to stop and to end the
// session, and closes the connection if it is asked again or the program does not answer.
func (p *process) dismiss() {
	if !p.visit.asked.CompareAndSwap(false, true) {
		p.leave()
		return
	}
	_, _ = p.commands.Write(packMessage(string(*p.visit.leaving.Load()))) // fails if the program has ended
	p.interrupt()
	time.AfterFunc(dismissal, p.leave)
}

// leave closes npdb's ends of the pipes. The tracer in the process notices it and removes itself.
func (p *process) leave() {
	p.visit.parted.Store(true)
	for _, f := range []*os.File{p.events, p.commands, p.credits, p.memory.file} {
		_ = f.Close() // it may be closed already
	}
}
