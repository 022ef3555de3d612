//go:build unix

package trace

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tracerSignal is npdb's signal to the tracer. Programs ignore it by default, debuggers
// pass it on, and hardly any program uses it.
const tracerSignal = unix.SIGURG

// process is a Python process that runs the tracer.
type process struct {
	cmd      *exec.Cmd
	memory   *sharedMemory
	events   *os.File  // messages from the tracer
	commands *os.File  // messages to the tracer
	credits  *os.File  // npdb writes one byte for each chunk that it has freed
	stdin    *os.File  // pipe to the program's standard input; nil if that is a file or the terminal
	terminal *terminal // nil if the program is connected by pipes only
	streams  [3]*drain
	reaper   *reaper
	tracer   *os.Process // the interpreter's process: that of cmd or, if wrapped, a descendant of it
	fixed    bool        // the program has the same address layout in each run, where the system allows
	wrapped  bool        // cmd is the command in Options.Wrap
	child    bool        // a child of the program, which npdb ends with the program: see children
	attached bool        // the process ran before npdb and is not npdb's child: see Attachment
	outcome  int         // exit code of a recording of such a process
	visit    visit       // set for a session in such a process

	exited chan struct{} // closed when the process is gone
	status error         // result of cmd.Wait; valid once exited is closed
	freed  sync.Once
}

// noProcess returns the process of a recording that was read from a file: one that is gone.
func noProcess() *process {
	p := &process{memory: &sharedMemory{}, exited: make(chan struct{})}
	close(p.exited)
	return p
}

// settle finds the interpreter among the descendants of the command in Options.Wrap. It is
// called after the loader's first message, while the loader waits for an answer.
func (p *process) settle() {
	if !p.wrapped {
		return
	}
	if found, err := os.FindProcess(innermost(p.cmd.Process.Pid)); err == nil {
		p.tracer = found // not released explicitly, because the watch may still read it
	}
}

// pid returns the interpreter's process id.
func (p *process) pid() int { return p.tracer.Pid }

// signal sends the tracer its signal, so that it looks at the flags in the shared memory.
func (p *process) signal() {
	_ = p.tracer.Signal(tracerSignal)
}

// send sends the program a signal, if it has not ended.
func (p *process) send(s os.Signal) {
	if p.tracer != nil {
		_ = p.tracer.Signal(s)
	}
}

// kill ends the program and its process group, or npdb's session in a program that it did not start.
func (p *process) kill() {
	if p.visit.leaving.Load() != nil {
		p.dismiss()
		return
	}
	if p.child && p.tracer != nil {
		_ = p.tracer.Kill()
		return
	}
	if p.cmd == nil || p.cmd.Process == nil {
		return
	}
	_ = unix.Kill(-p.cmd.Process.Pid, unix.SIGKILL)
	_ = p.cmd.Process.Kill()
}

// abandon kills a program that does not respond. It does not wait for the pipes to close,
// because a process that left the program's group may keep them open.
func (p *process) abandon() {
	p.kill()
	_ = p.events.SetReadDeadline(past)
	_ = p.commands.SetWriteDeadline(past)
}

var past = time.Unix(1, 0)

// free ends the process group and closes all files. It may be called repeatedly.
func (p *process) free() {
	if p.attached && !p.child {
		return // the files and the memory belong to the Attachment
	}
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

// forget frees the memory, after free.
func (p *process) forget() error {
	if p.attached && !p.child {
		return nil
	}
	return p.memory.close()
}

// code returns the exit status of a process that has ended, or the negative number of the
// signal that ended it. A wrapping command reports a signal as 128 plus its number. If orderly,
// the program's code ended before the process did, so that a status above 128 is its own
// status.
func (p *process) code(orderly bool) int {
	if p.attached {
		return p.outcome
	}
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

// input writes text to the program's standard input; eof closes it after that.
func (p *process) input(text string, eof bool) error {
	select {
	case <-p.exited:
		return os.ErrClosed // another process may still hold the terminal or the pipe
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

// unseen reports whether the program has switched its terminal's echo off, for example to read
// a password, so that its input must not be shown.
func (p *process) unseen() bool {
	if p.terminal == nil {
		return false
	}
	mode, err := p.terminal.mode()
	return err == nil && mode.Lflag&unix.ECHO == 0
}

// resize sets the size of the program's terminal, if it has one.
func (p *process) resize(size Terminal) {
	if p.terminal != nil {
		_ = p.terminal.resize(size) // fails if the terminal was closed
	}
}

// waits reports whether the program is still waiting for input and has none. number identifies
// the wait; the tracer counts them.
func (p *process) waits(number string) bool {
	return !p.hasInput() && strconv.Itoa(int(p.memory.flag(hdrReading))) == number
}

// hasInput reports whether the program has unread input. It also returns true if npdb does not
// provide the input, or the input is closed, because then a read does not wait for npdb.
func (p *process) hasInput() bool {
	if p.terminal != nil {
		return p.terminal.pending() || p.terminal.readable()
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
		return true // the input is closed: a read returns the end
	}
	return n > 0
}

// reaper ends the program's process group if npdb exits without cleanup. It is a shell that
// waits for the end of its input.
type reaper struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
}

func newReaper(group int) *reaper {
	const script = `while read -r word; do
	if [ "$word" = done ]; then exit; fi
	all="$all $word"
done
kill -s KILL -- "-$1" $all`
	cmd := exec.Command("/bin/sh", "-c", script, "npdb-reaper", strconv.Itoa(group))
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil
	}
	if err := cmd.Start(); err != nil {
		return nil // without it, the program still dies with npdb on Linux, by Pdeathsig
	}
	return &reaper{cmd: cmd, stdin: stdin}
}

// also makes the reaper end another process, which may have left the group.
func (r *reaper) also(pid int) { _, _ = io.WriteString(r.stdin, strconv.Itoa(pid)+"\n") }

func (r *reaper) dismiss() {
	_, _ = io.WriteString(r.stdin, "done\n")
	_ = r.stdin.Close()
	_ = r.cmd.Wait()
}

// watch supervises a running program until stop is closed. It does four things:
//
//   - It stops a __repr__ that exceeds its time.
//   - It asks the tracer to continue tracing after the interpreter switched it off.
//   - It sends the tracer's signal again for interrupts and other signals that arrived inside
//     the tracer, because the next event may be far away. It also repeats the interrupt at the
//     end of ctx, because the tracer drops an interrupt that comes before it has read its command.
//   - It sends on reads when the program reads its terminal without sys.stdin.
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
			ended = nil // no second case for ctx: the interrupt is repeated at each tick
		case now := <-ticker.C:
			if ctx.Err() != nil {
				p.interrupt()
			}
			if p.terminal != nil {
				p.attend(reads)
			}
			if p.memory.flag(hdrOff) != 0 || p.memory.flag(hdrInterrupt) != 0 || p.memory.flag(hdrWaiting) != 0 {
				p.signal()
			}
			running, rendering := p.memory.flag(hdrSerial), p.memory.flag(hdrInRepr) != 0
			switch {
			case p.memory.lost() != nil:
				p.kill() // await returns the reason
				return
			case !rendering:
				since = time.Time{}
			case since.IsZero() || serial != running:
				serial, since = running, now
			case now.Sub(since) >= reprTime:
				p.memory.setFlag(hdrStopRepr, 1)
				p.signal()
			}
		}
	}
}

// attend types the queued keys, and sends on reads when the program waits for terminal
// input without sys.stdin.
func (p *process) attend(reads chan<- struct{}) {
	_ = p.terminal.feed() // fails if the terminal was closed
	if p.memory.flag(hdrReading) == 0 && !p.terminal.pending() && p.terminal.awaited(p.tracer.Pid) {
		select {
		case reads <- struct{}{}:
		default:
		}
	}
}

// interrupt asks the running program to stop. It may be called at any time, also after the
// shared memory was freed.
func (p *process) interrupt() {
	if p.memory.interrupt() {
		p.signal()
	}
}

// forgetInterrupt clears the interrupt flag before a move. An interrupt that arrived when the
// program had already stopped must not end that move.
func (p *process) forgetInterrupt() { p.memory.setFlag(hdrInterrupt, 0) }
