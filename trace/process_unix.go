//go:build unix

package trace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// chunkCount chunks let the program write on while npdb reads.
const chunkCount = 4

// tracerSignal is npdb's own signal to the tracer: ignored by default, passed
// over by debuggers, and hardly any program's.
const tracerSignal = unix.SIGURG

// process is a Python that runs the tracer.
type process struct {
	cmd      *exec.Cmd
	memory   *sharedMemory
	events   *os.File  // messages from the tracer
	commands *os.File  // to the tracer
	credits  *os.File  // one byte for each chunk that is free again
	stdin    *os.File  // write end of the program's standard input; nil when it has its own
	terminal *terminal // the program's; nil when it has pipes
	streams  [3]*drain
	reaper   *reaper
	tracer   *os.Process // the interpreter: cmd's own process, or what a wrapping command started
	wrapped  bool        // by another command: see Options.Wrap

	exited chan struct{} // closed when the process is gone
	status error         // of Wait, once exited
	freed  sync.Once
}

// spawn starts the tracer's loader in o.Dir, with o.Env and inside o.Wrap. stdin
// is nil for a pipe of npdb's.
func spawn(python string, o Options, stdin *os.File) (p *process, err error) {
	chunk := chunkSize(o.Limits)
	p = &process{exited: make(chan struct{}), wrapped: len(o.Wrap) > 0}
	var theirs []*os.File // ends the child keeps, closed here once it runs
	defer func() {
		for _, f := range theirs {
			_ = f.Close()
		}
		if err != nil {
			p.free()
		}
	}()
	if p.memory, err = newSharedMemory(chunkCount, chunk); err != nil {
		return nil, err
	}
	theirs = append(theirs, p.memory.file)
	pipe := func(mine **os.File, reads bool) *os.File {
		r, w, e := os.Pipe()
		if e != nil {
			err = e
			return nil
		}
		if reads {
			*mine = r
			theirs = append(theirs, w)
			return w
		}
		*mine = w
		theirs = append(theirs, r)
		return r
	}
	events, commands, credits := pipe(&p.events, true), pipe(&p.commands, false), pipe(&p.credits, false)
	if err != nil {
		return nil, fmt.Errorf("no pipe to the program: %w", err)
	}
	loader, _ := tracerSource()
	argv := slices.Concat(o.Wrap, []string{
		python, "-c", loader, "3", "4", "5", "6",
		strconv.Itoa(chunkCount), strconv.Itoa(chunk), compiledCache(),
	})
	p.cmd = exec.Command(argv[0], argv[1:]...)
	p.cmd.Dir, p.cmd.Env = o.Dir, o.Env
	p.cmd.ExtraFiles = []*os.File{p.memory.file, events, commands, credits}
	p.cmd.SysProcAttr = ownSession()
	if o.Terminal != nil {
		if p.terminal, err = newTerminal(*o.Terminal); err != nil {
			return nil, fmt.Errorf("no terminal for the program: %w", err)
		}
		p.cmd.SysProcAttr.Setctty, p.cmd.SysProcAttr.Ctty = true, 1
	}
	switch {
	case stdin != nil:
		p.cmd.Stdin = stdin
	case p.terminal != nil && o.Stdin == nil:
		p.cmd.Stdin = p.terminal.slave
	default:
		p.cmd.Stdin = pipe(&p.stdin, false)
	}
	drained := func(n int) (w *os.File) {
		if err == nil {
			p.streams[n], w, err = newPipeDrain(o.Limits.OutputBytes)
			theirs = append(theirs, w)
		}
		return w
	}
	if p.terminal != nil {
		p.cmd.Stdout = p.terminal.slave
		p.streams[1], err = newDrain(p.terminal.master, o.Limits.OutputBytes)
	} else {
		p.cmd.Stdout = drained(1)
	}
	p.cmd.Stderr = drained(2)
	if err != nil {
		return nil, fmt.Errorf("no pipe to the program: %w", err)
	}
	started := make(chan error, 1)
	go p.run(started)
	if err = <-started; err != nil {
		return nil, err
	}
	p.tracer = p.cmd.Process
	p.reaper = newReaper(p.cmd.Process.Pid)
	return p, nil
}

// settle finds the interpreter among what a wrapping command started. It is
// called when the loader has said its first word and waits for npdb's.
func (p *process) settle() {
	if !p.wrapped {
		return
	}
	if found, err := os.FindProcess(innermost(p.cmd.Process.Pid)); err == nil {
		p.tracer = found // never released by hand: who watches the program may still read it
	}
}

// run starts the child and waits for it, on one thread of its own: the signal
// that a child gets when its parent dies belongs to the thread that made it
// (prctl(2), PR_SET_PDEATHSIG).
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.cmd.Start(); err != nil {
		close(p.exited)
		started <- err
		return
	}
	started <- nil
	p.status = p.cmd.Wait()
	close(p.exited)
}

// signal wakes the tracer.
func (p *process) signal() {
	_ = p.tracer.Signal(tracerSignal)
}

// kill ends the program and whatever it started and did not let go of.
func (p *process) kill() {
	if p.cmd == nil || p.cmd.Process == nil {
		return
	}
	_ = unix.Kill(-p.cmd.Process.Pid, unix.SIGKILL)
	_ = p.cmd.Process.Kill()
}

// free ends everything and closes what is open. It may be called again.
func (p *process) free() {
	p.freed.Do(func() {
		p.kill()
		if p.cmd != nil && p.cmd.Process != nil {
			<-p.exited
		}
		for _, f := range []*os.File{p.events, p.commands, p.credits, p.stdin} {
			if f != nil {
				_ = f.Close()
			}
		}
		for _, d := range p.streams {
			if d != nil {
				d.close()
			}
		}
		if p.terminal != nil {
			p.terminal.close()
		}
		if p.reaper != nil {
			p.reaper.dismiss()
		}
	})
}

// code is the exit status of a process that is gone, negative for a signal.
// orderly tells that the program's code was over before: then 139 from a wrapping
// command is the program's own status and stands for no signal.
func (p *process) code(orderly bool) int {
	const signalled, lastSignal = 128, 64
	var exit *exec.ExitError
	if errors.As(p.status, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return -int(status.Signal())
		}
		code := exit.ExitCode()
		if p.wrapped && !orderly && code > signalled && code <= signalled+lastSignal {
			return signalled - code
		}
		return code
	}
	if p.status != nil {
		return -1
	}
	return 0
}

// input gives the program text on standard input; eof ends it after that.
func (p *process) input(text string, eof bool) error {
	select {
	case <-p.exited:
		return os.ErrClosed // who holds the terminal or the pipe is none of npdb's business
	default:
	}
	if p.terminal != nil {
		return p.terminal.input(text, eof)
	}
	if p.stdin == nil {
		return os.ErrClosed
	}
	if _, err := io.WriteString(p.stdin, text); err != nil {
		return err
	}
	if eof {
		return p.stdin.Close()
	}
	return nil
}

// resize tells the program's terminal, where it has one.
func (p *process) resize(size Terminal) {
	if p.terminal != nil {
		_ = p.terminal.resize(size) // it fails when the terminal is gone
	}
}

// waits reports whether the program is in a wait for input that the tracer told
// of, and there is none.
func (p *process) waits(number string) bool {
	return !p.hasInput() && strconv.Itoa(int(p.memory.data[hdrReading])) == number
}

// hasInput reports whether the program has not yet read all it was given.
func (p *process) hasInput() bool {
	if p.terminal != nil {
		return p.terminal.readable()
	}
	if p.stdin == nil {
		return true
	}
	n := 0
	raw, err := p.stdin.SyscallConn()
	if err != nil {
		return true
	}
	if e := raw.Control(func(fd uintptr) { n, err = unix.IoctlGetInt(int(fd), readableBytes) }); e != nil || err != nil {
		return true // it is closed: the program is about to read the end
	}
	return n > 0
}

// reaper ends the program's process group when npdb is gone without having
// said so, whatever ended it: a shell that waits for the end of its input.
type reaper struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
}

func newReaper(group int) *reaper {
	cmd := exec.Command("/bin/sh", "-c", `read -r word || kill -s KILL -- "-$1"`, "npdb-reaper", strconv.Itoa(group))
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil
	}
	if err := cmd.Start(); err != nil {
		return nil // the program still dies with npdb on Linux, by Pdeathsig
	}
	return &reaper{cmd: cmd, stdin: stdin}
}

func (r *reaper) dismiss() {
	_, _ = io.WriteString(r.stdin, "done\n")
	_ = r.stdin.Close()
	_ = r.cmd.Wait()
}

// watch looks after a program that runs: a __repr__ that takes longer than it
// may is stopped, tracing that the interpreter turned off is asked back until
// it is, and an interrupt or another signal that came in the tracer, after which
// no event may come for long, is repeated. So is the interrupt at ctx's end: the
// tracer drops one that comes before it has read what to do. It ends with stop.
// Whoever listens is told when the program reads its terminal past the tracer.
func (p *process) watch(ctx context.Context, reprTime time.Duration, stop <-chan struct{}, reads chan<- struct{}) {
	ticker := time.NewTicker(min(max(reprTime/4, 5*time.Millisecond), 20*time.Millisecond))
	defer ticker.Stop()
	var serial byte
	var since time.Time
	ended := ctx.Done()
	for {
		select {
		case <-stop:
			return
		case <-p.exited:
			return
		case <-ended:
			p.interrupt()
			ended = nil // from now on it is repeated at each tick
		case now := <-ticker.C:
			if ctx.Err() != nil {
				p.interrupt()
			}
			header := p.memory.data
			if p.terminal != nil && header[hdrReading] == 0 && p.terminal.awaited(p.tracer.Pid) {
				select {
				case reads <- struct{}{}:
				default:
				}
			}
			if header[hdrOff] != 0 || header[hdrInterrupt] != 0 || header[hdrWaiting] != 0 {
				p.signal()
			}
			switch {
			case header[hdrInRepr] == 0:
				since = time.Time{}
			case since.IsZero() || serial != header[hdrSerial]:
				serial, since = header[hdrSerial], now
			case now.Sub(since) >= reprTime:
				header[hdrStopRepr] = 1
				p.signal()
			}
		}
	}
}

// interrupt asks the running program to stop. It may be called at any time, also
// when everything is closed.
func (p *process) interrupt() {
	if p.memory.interrupt() {
		p.signal()
	}
}

// forgetInterrupt takes back an interrupt that came when the program stood
// already: it is not for the next move.
func (p *process) forgetInterrupt() { p.memory.data[hdrInterrupt] = 0 }
