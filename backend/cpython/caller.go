package cpython

import (
	"context"
	_ "embed" // caller.py
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/contain"
)

// NotContainedError reports that this machine has no sandbox that blocks the network and the user's
// files.
type NotContainedError struct{ Why string } // why there is no sandbox, in parentheses; "" if unknown

func (e *NotContainedError) Error() string {
	return "npdb does not run a past here, because it could reach the network or your files: programs are not in a sandbox of bubblewrap" + e.Why + ". verify text runs nothing"
}

// contained returns an error if programs in the containment c could reach the network or the user's
// files.
func contained(c *contain.Containment) error {
	if c.Holds() {
		return nil
	}
	refused := &NotContainedError{}
	if why := c.Why(); why != nil {
		refused.Why = " (" + why.Error() + ")"
	}
	return refused
}

// LoadError reports that a program does not contain the function, or that its module cannot be run.
type LoadError struct{ Why string }

func (e *LoadError) Error() string { return e.Why }

// Caller runs calls of one function of a program in a containment. The module is loaded once. Each batch
// of calls runs in a process forked from that one. A Caller must not be used by several goroutines at
// once.
type Caller struct {
	at        *placed
	contained *contain.Containment
	asked     map[string]any
	running   *calls // nil if no process is running

	// Parameters are the names of the function's arguments, in the order of co_varnames.
	Parameters []string
}

//go:embed caller.py
var callerSource string

// loadTime limits the time to run a module. callTime limits the time of a batch, in addition to the
// limits of its calls.
const loadTime, callTime = 30 * time.Second, 5 * time.Minute

// NewCaller loads the module of a program and finds a function in it, by its file, its name, and the
// first line of its definition, decorators included. A line 0 matches any. The error is a
// *NotContainedError, a *LoadError, that of a ctx that has ended, or the reason why the containment
// failed.
func NewCaller(ctx context.Context, c *contain.Containment, p *dsl.Program, file, function string, line int) (*Caller, error) {
	if err := contained(c); err != nil {
		return nil, err
	}
	n, ok := fileOf(p, file)
	if !ok {
		return nil, &LoadError{Why: "the program has no file " + file}
	}
	at, err := placeFiles(p)
	if err != nil {
		return nil, err
	}
	made := &Caller{at: at, contained: c, asked: map[string]any{
		"main": at.paths[0], "file": at.paths[n], "function": function, "line": line, "render": trace.Renderer(),
	}}
	if err := made.start(ctx); err != nil {
		_ = made.Close()
		return nil, err
	}
	return made, nil
}

// Close ends the process and removes the program's files.
func (c *Caller) Close() error {
	c.stop()
	c.at.remove()
	return nil
}

func (c *Caller) stop() {
	if c.running != nil {
		c.running.end()
		c.running = nil
	}
}

// Call makes a batch of calls. Each call is a list of expressions, one for each of Parameters, which are
// evaluated in the function's module. A call may take 50 ms of CPU time, or less if earlier calls of the
// batch exceeded that.
//
// The calls of a batch run in one process, so a call can see changes that earlier ones made in the
// module. Repeat a call in a batch of its own before you rely on its outcome: a batch of one runs as if
// it were the first call.
func (c *Caller) Call(ctx context.Context, batch [][]string) ([]backend.CallOutcome, error) {
	if len(batch) == 0 {
		return nil, nil
	}
	if c.running == nil {
		if err := c.start(ctx); err != nil {
			return nil, err
		}
	}
	var said [][2]string
	if err := c.ask(ctx, callTime, batch, &said); err == nil && len(said) == len(batch) {
		return outcomes(said), nil
	}
	c.stop()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(batch) == 1 { // this call kills the process from which the others are forked
		return []backend.CallOutcome{{Refused: "it ends the process that runs the calls"}}, nil
	}
	first, err := c.Call(ctx, batch[:len(batch)/2])
	if err != nil {
		return nil, err
	}
	second, err := c.Call(ctx, batch[len(batch)/2:])
	if err != nil {
		return nil, err
	}
	return append(first, second...), nil
}

func outcomes(said [][2]string) []backend.CallOutcome {
	found := make([]backend.CallOutcome, len(said))
	for i, one := range said {
		switch one[0] {
		case "=":
			found[i].Value = one[1]
		case "!":
			found[i].Exception = one[1]
		default:
			found[i].Refused = one[1]
		}
		if found[i] == (backend.CallOutcome{}) {
			found[i].Refused = "its result has no text"
		}
	}
	return found
}

// start starts the process and loads the module.
func (c *Caller) start(ctx context.Context) error {
	running, err := c.spawn()
	if err != nil {
		return fmt.Errorf("the program cannot be run in its containment: %w", err)
	}
	c.running = running
	var said struct {
		Error      string   `json:"error"`
		Parameters []string `json:"parameters"`
	}
	err = c.ask(ctx, loadTime, c.asked, &said)
	switch {
	case err == nil && said.Error == "":
		c.Parameters = said.Parameters
		return nil
	case err == nil:
		err = &LoadError{Why: c.at.said(said.Error)}
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		err = &LoadError{Why: fmt.Sprintf("the program's module does not end within %v", loadTime)}
	default:
		err = &LoadError{Why: "the program's module ends the process"}
	}
	c.stop()
	return err
}

// spawn starts Python in the containment.
func (c *Caller) spawn() (*calls, error) {
	wrap, err := c.contained.Wrap(c.at.dir)
	if err != nil {
		return nil, err
	}
	argv := slices.Concat(wrap, []string{c.contained.Python(), "-c", callerSource})
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = c.at.dir
	cmd.Env = append(c.contained.Environment(c.at.dir, c.at.environment()), "PYTHONHASHSEED=0")
	running := &calls{cmd: cmd}
	if running.in, err = cmd.StdinPipe(); err == nil {
		running.out, err = cmd.StdoutPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	return running, err
}

// ask sends a message to the process and reads the reply.
func (c *Caller) ask(ctx context.Context, limit time.Duration, message, reply any) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	running := c.running
	defer context.AfterFunc(limited, running.end)()
	err := running.ask(message, reply)
	if err != nil && limited.Err() != nil {
		return limited.Err()
	}
	return err
}

// calls is the Python process that makes the calls.
type calls struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   io.ReadCloser
	ended sync.Once
}

// end ends the process. It may be called several times, and while ask is running.
func (c *calls) end() {
	c.ended.Do(func() {
		_ = c.cmd.Process.Kill()
		_ = c.in.Close()
		_ = c.out.Close()
		_ = c.cmd.Wait()
	})
}

// ask sends a message and reads the reply, each as JSON after its length in four bytes.
func (c *calls) ask(message, reply any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	text = append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
	if _, err := c.in.Write(text); err != nil {
		return err
	}
	var head [4]byte
	if _, err := io.ReadFull(c.out, head[:]); err != nil {
		return err
	}
	const most = 256 << 20
	size := int64(binary.LittleEndian.Uint32(head[:]))
	if size > most {
		return fmt.Errorf("a reply of %d bytes is too large", size)
	}
	said, err := io.ReadAll(io.LimitReader(c.out, size))
	if err != nil {
		return err
	}
	return json.Unmarshal(said, reply)
}
