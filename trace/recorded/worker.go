package recorded

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/python"
)

//go:embed python/*.py
var sources embed.FS

// modules are the worker's own, in the order in which they import each other.
var modules = []string{"literals", "evaluate", "outline", "worker"}

// bootstrap takes the modules from the first frame of standard input, so that
// nothing of the worker lies in a file. It runs with the standard library
// alone on sys.path: of -I only what concerns PYTHONHASHSEED is given up, for
// sets must iterate as they do in the recorded program.
const bootstrap = `import sys
sys.path[:] = [p for p in sys.path if p]
if sys.version_info < (3, 9): sys.exit("is Python %d.%d; 3.9 or newer is needed, choose one with --python" % sys.version_info[:2])
def take(): return sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(4), "big"))
sys.stdin.buffer.read(4)
for _ in range(int(take())):
    name = take().decode()
    module = sys.modules[name] = type(sys)(name)
    exec(compile(take(), "<npdb " + name + ">", "exec"), module.__dict__)
module.serve()
`

// startLimit is how long a Python may take until its worker answers.
const startLimit = 30 * time.Second

// exitLimit is how long what a killed worker left behind may keep its pipes.
const exitLimit = time.Second

// stderrKept is how much of a worker's last words is kept, in bytes.
const stderrKept = 4 << 10

// worker is a running Python that answers frames with frames.
type worker struct {
	python  string
	in      *os.File
	out     *os.File
	reader  *bufio.Reader
	process *os.Process
	words   *tail         // what it wrote to standard error
	exited  chan struct{} // closed when the process is gone and reaped
	state   error         // of exec.Cmd.Wait; read after exited
}

// startWorker starts a worker and waits until it is ready.
func startWorker(ctx context.Context, python string) (*worker, error) {
	w, err := launch(python)
	if err != nil {
		return nil, &WorkerError{Python: python, Reason: fmt.Sprintf("cannot be started (%v); choose one with --python", err), Err: err}
	}
	ready, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	fields := []string{fmt.Sprint(len(modules))}
	for _, name := range modules {
		source, err := sources.ReadFile("python/" + name + ".py")
		if err != nil {
			return nil, w.stopAfter(err)
		}
		fields = append(fields, name, string(source))
	}
	reply, err := w.exchange(ready, fields)
	switch {
	case err == nil && len(reply) == 2 && reply[0] == "ready":
		return w, nil
	case ready.Err() != nil:
		err = &WorkerError{Python: python, Reason: fmt.Sprintf("did not answer within %v of its start", startLimit), Err: ready.Err()}
	default:
		err = w.died(err)
	}
	return nil, w.stopAfter(err)
}

// launch starts the process. A goroutine of its own keeps the thread that
// started it until it is gone: on Linux the kernel ends the worker with that
// thread (prctl(2), PR_SET_PDEATHSIG).
func launch(python string) (*worker, error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdin.Close(), in.Close())
	}
	w := &worker{
		python: python, in: in, out: out, reader: bufio.NewReader(out),
		words: &tail{}, exited: make(chan struct{}),
	}
	cmd := exec.Command(python, "-s", "-S", "-B", "-W", "ignore", "-c", bootstrap)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, w.words
	cmd.Env = workerEnvironment(os.Environ())
	cmd.SysProcAttr = lifetimeOfParent()
	// A python that is a script and started another keeps stderr open.
	cmd.WaitDelay = exitLimit
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		w.process = cmd.Process
		started <- errors.Join(err, stdin.Close(), stdout.Close())
		if err == nil {
			w.state = cmd.Wait()
		}
		close(w.exited)
	}()
	if err := <-started; err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	return w, nil
}

// workerEnvironment returns the environment without Python's own settings, but with
// the hash seed that recordings use.
func workerEnvironment(environ []string) []string {
	var env []string
	seed := "PYTHONHASHSEED=0"
	for _, e := range environ {
		switch {
		case strings.HasPrefix(e, "PYTHONHASHSEED=") && e != "PYTHONHASHSEED=":
			seed = e
		case !strings.HasPrefix(e, "PYTHON"):
			env = append(env, e)
		}
	}
	return append(env, seed)
}

// exchange sends a request and reads its reply. When ctx ends first the worker
// is killed. After an error it is of no more use.
func (w *worker) exchange(ctx context.Context, request []string) ([]string, error) {
	frame, err := appendFrame(nil, request...)
	if err != nil {
		return nil, err
	}
	keep := context.AfterFunc(ctx, w.kill)
	_, err = w.in.Write(frame)
	var reply []string
	if err == nil {
		reply, err = readFrame(w.reader, frameLimit)
	}
	if !keep() && err == nil {
		return nil, ctx.Err() // the reply came, but the worker is being killed
	}
	return reply, err
}

// gone reports whether the process has ended.
func (w *worker) gone() bool {
	select {
	case <-w.exited:
		return true
	default:
		return false
	}
}

func (w *worker) kill() {
	// It fails only when the process is gone already, which is what is wanted.
	_ = w.process.Kill()
}

// stop ends the process, waits until it is gone and frees its pipes. There
// may be none: w may be nil.
func (w *worker) stop() error {
	if w == nil {
		return nil
	}
	w.kill()
	<-w.exited
	return errors.Join(w.in.Close(), w.out.Close())
}

// stopAfter stops the worker after an error and returns it, joined with an error of the
// stop.
func (w *worker) stopAfter(err error) error {
	if stopping := w.stop(); stopping != nil {
		return errors.Join(err, stopping)
	}
	return err
}

// died describes how a worker ended that broke off before it answered a request.
func (w *worker) died(cause error) error {
	w.kill()
	<-w.exited
	if outOfTime(w.state) {
		return &python.LimitError{Reason: "it takes more processor time than it may have"}
	}
	reason := fmt.Sprintf("ended before it answered (%v)", w.state)
	if words := w.words.last(); words != "" {
		reason = words
	}
	if errors.Is(cause, io.EOF) || errors.Is(cause, os.ErrClosed) {
		cause = w.state
	}
	return &WorkerError{Python: w.python, Reason: reason, Err: cause}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - stderrKept; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// last returns the last line that is not blank.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.kept))
	return text[strings.LastIndexByte(text, '\n')+1:]
}
