//go:build unix

package trace

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// chunkCount is the number of chunks of shared memory. With several, the program can write to
// one while npdb reads another.
const chunkCount = 4

// spawn starts the tracer's loader in the folder o.Dir, with the environment o.Env, by the
// command o.Wrap. If stdin is nil, the program reads from a terminal or a pipe of npdb. The
// error is a *StartError, after which nothing is left running.
func spawn(python string, o Options, stdin *os.File) (*process, error) {
	p := &process{exited: make(chan struct{}), wrapped: len(o.Wrap) > 0, fixed: o.noted()}
	p.cmd = p.command(python, o)
	var theirs ends
	err := p.connect(&theirs, o, stdin)
	if err == nil {
		started := make(chan error, 1)
		go p.run(started)
		err = <-started
	}
	theirs.close()
	if err != nil {
		p.free()
		_ = p.memory.close()
		return nil, cannotRun(p.cmd, python, err)
	}
	p.tracer = p.cmd.Process
	p.reaper = newReaper(p.cmd.Process.Pid)
	return p, nil
}

// command returns the command that runs the loader, without its descriptors.
func (p *process) command(python string, o Options) *exec.Cmd {
	argv := slices.Concat(o.Wrap, []string{python, "/dev/fd/7"}, words(o))
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	cmd.SysProcAttr = ownSession()
	return cmd
}

// words returns the arguments that python would have for the program. The loader does not
// read them; they are for process listings.
func words(o Options) []string {
	const most = 100_000 // every system accepts arguments of this many bytes
	found := []string{o.Script}
	switch {
	case o.Module != "":
		found = []string{"-m", o.Module}
	case o.Code != "":
		found = []string{"-c", o.Code}
	}
	found = append(found, o.Args...)
	if slices.ContainsFunc(found, func(word string) bool { return len(word) > most || strings.Contains(word, "\x00") }) {
		return nil
	}
	return found
}

// loader returns an open file that contains the loader's code.
func (p *process) loader(o Options) (*os.File, error) {
	cache := ""
	if !p.wrapped { // a sandboxed interpreter gets the code itself and no cache path
		cache = compiledCache()
	}
	file, err := memoryFile()
	if err != nil {
		return nil, err
	}
	text := loaderText(3, 4, 5, 6, 7, chunkCount, chunkSize(o), cache)
	if _, err := file.WriteAt([]byte(text), 0); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// ends are the files that the child inherits. npdb closes its own copies once the child runs.
type ends []*os.File

func (e *ends) close() {
	for _, f := range *e {
		_ = f.Close()
	}
}

// write returns a pipe to which npdb writes; read returns one from which npdb reads.
func (e *ends) write() (theirs, mine *os.File, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("no pipe to the program: %w", err)
	}
	*e = append(*e, r)
	return r, w, nil
}

func (e *ends) read() (theirs, mine *os.File, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("no pipe from the program: %w", err)
	}
	*e = append(*e, w)
	return w, r, nil
}

// connect creates the shared memory, the pipes of the tracer and the program's standard
// streams.
func (p *process) connect(theirs *ends, o Options, stdin *os.File) (err error) {
	if p.memory, err = newSharedMemory(chunkCount, chunkSize(o)); err != nil {
		return fmt.Errorf("no memory to share with the program: %w", err)
	}
	*theirs = append(*theirs, p.memory.file)
	var events, commands, credits *os.File
	if events, p.events, err = theirs.read(); err != nil {
		return err
	}
	if commands, p.commands, err = theirs.write(); err != nil {
		return err
	}
	if credits, p.credits, err = theirs.write(); err != nil {
		return err
	}
	loader, err := p.loader(o)
	if err != nil {
		return fmt.Errorf("no memory for the tracer: %w", err)
	}
	*theirs = append(*theirs, loader)
	p.cmd.ExtraFiles = []*os.File{p.memory.file, events, commands, credits, loader}
	if o.Terminal != nil {
		if p.terminal, err = newTerminal(*o.Terminal); err != nil {
			return fmt.Errorf("no terminal for the program: %w", err)
		}
		p.cmd.SysProcAttr.Setctty, p.cmd.SysProcAttr.Ctty = true, 1
	}
	if err := p.giveInput(theirs, o, stdin); err != nil {
		return err
	}
	return p.takeOutput(theirs, o)
}

func (p *process) giveInput(theirs *ends, o Options, stdin *os.File) error {
	switch {
	case stdin != nil:
		p.cmd.Stdin = stdin
	case p.terminal != nil && o.Stdin == nil:
		p.cmd.Stdin = p.terminal.slave
	default:
		reads, writes, err := theirs.write()
		if err != nil {
			return err
		}
		p.cmd.Stdin, p.stdin = reads, writes
	}
	return nil
}

func (p *process) takeOutput(theirs *ends, o Options) (err error) {
	kept, copies := o.Limits.OutputBytes, [...]io.Writer{1: o.Stdout, 2: o.Stderr}
	drained := func(n int) (*os.File, error) {
		writes, reads, err := theirs.read()
		if err != nil {
			return nil, err
		}
		if p.streams[n], err = newDrain(reads, kept, copies[n]); err != nil {
			_ = reads.Close()
			return nil, fmt.Errorf("no pipe from the program: %w", err)
		}
		return writes, nil
	}
	if p.terminal != nil {
		p.cmd.Stdout = p.terminal.slave
		if p.streams[1], err = newDrain(p.terminal.master, kept, copies[1]); err != nil {
			return fmt.Errorf("no terminal for the program: %w", err)
		}
	} else if p.cmd.Stdout, err = drained(1); err != nil {
		return err
	}
	p.cmd.Stderr, err = drained(2)
	return err
}

// run starts the child and waits for it on its own thread, because the signal that a child
// gets when its parent dies is bound to the thread that started it (prctl(2),
// PR_SET_PDEATHSIG).
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := p.cmd.Start
	if p.fixed {
		start = func() error { return withFixedAddresses(p.cmd.Start) }
	}
	if err := start(); err != nil {
		close(p.exited)
		started <- err
		return
	}
	started <- nil
	p.status = p.cmd.Wait()
	p.lastWords()
	close(p.exited)
}

// lastWords bounds the time that npdb waits for the messages of a process that has exited. They
// are all in the pipe, but a process that it started may keep the other end open.
func (p *process) lastWords() {
	const most = 2 * time.Second
	_ = p.events.SetReadDeadline(time.Now().Add(most))
}
