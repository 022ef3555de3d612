package recorder

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"sync/atomic"

	"github.com/npdb/npdb/internal/sandbox"
)

// containment holds how the process that records programs is started and restricted.
type containment struct {
	python *sandbox.Interpreter
	bwrap  *sandbox.Bwrap // starts the process in a sandbox; nil if there are only resource limits
	users  *sandbox.Users // runs each process as a separate user; nil to keep this user
	maker  []byte         // compiled code of the Python package maker
}

// started counts the processes that were started as separate users. Each process gets the
// next user; after the last one, the first one is used again.
var started atomic.Uint32

// command returns the interpreter's command line inside the containment.
func (c *containment) command(args ...string) []string {
	argv := append([]string{c.python.Executable}, args...)
	if c.users != nil {
		argv = append(c.users.As(c.users.Number(int(started.Add(1)-1))), argv...)
	}
	if c.bwrap == nil {
		return argv
	}
	m := c.bwrap.System(c.python)
	m.Add("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/")
	return append(m.Command(), argv...)
}

// filter returns the filter of system calls that worker.py installs in each program's process, or nil if
// the system has no such filters.
func filter() map[string]any {
	program, pids := sandbox.Alone()
	if program == nil {
		return nil
	}
	return map[string]any{"program": base64.StdEncoding.EncodeToString(program), "pids": pids}
}

// contain starts the worker's first process, with the strongest of the requested kinds of containment
// that works.
func (w *Worker) contain(ctx context.Context) error {
	if err := sandbox.KeepDescriptors(); err != nil {
		return err
	}
	python, err := sandbox.FindInterpreter(ctx, w.python)
	if err != nil {
		return err
	}
	maker, err := compiled(ctx, python.Executable, python.Version)
	if err != nil {
		return err
	}
	w.contained = containment{python: python, maker: maker}
	var why error
	if w.config.Contain != ContainLimits {
		if why = w.inSandbox(ctx); why == nil || w.config.Contain == ContainBubblewrap || ctx.Err() != nil {
			return why
		}
	}
	w.contained.bwrap, w.contained.users = nil, nil
	if w.config.Contain == ContainAuto && w.asUser(ctx) == nil {
		w.warn(why)
		return nil
	}
	w.warn(why)
	return w.start(ctx)
}

// asUser starts the process as a separate user. This requires root, and an interpreter that
// every user may run.
func (w *Worker) asUser(ctx context.Context) error {
	w.contained.users = sandbox.FindUsers()
	if w.contained.users == nil {
		return errors.ErrUnsupported
	}
	err := w.start(ctx)
	if err != nil {
		w.contained.users = nil
	}
	return err
}

func (w *Worker) inSandbox(ctx context.Context) (err error) {
	w.contained.users = sandbox.FindUsers()
	if w.contained.bwrap, err = sandbox.FindBwrap(w.contained.users != nil); err != nil {
		return err
	}
	return w.start(ctx)
}

// warn sets the worker's warning, which says what programs can do without a sandbox. why is the reason
// why there is no sandbox; nil if none was requested.
func (w *Worker) warn(why error) {
	reason := "as asked"
	if why != nil {
		reason = why.Error()
	}
	who, files := "as this user", "read, change and remove this user's files, and with them what other programs run"
	if w.contained.users != nil {
		who, files = "as a user of their own", "read what everybody may read, and make empty files where everybody may"
	}
	w.warning = "programs are not in a sandbox (" + reason + "): they run " + who + ", with limits on time and memory, and can "
	if filter() == nil {
		w.warning += "use the network, start and end processes, "
	}
	w.warning += files + ". " + sandbox.Advice("record only programs that you trust")
	if os.Geteuid() == 0 && w.contained.users == nil {
		w.warning += ". This user is root"
	}
}
