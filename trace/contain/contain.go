package contain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/sandbox"
	"github.com/npdb/npdb/trace"
)

// Limits limit the resources of one program. Zero means the default.
type Limits struct {
	CPU      time.Duration // CPU time of each process; default 10 seconds
	Memory   int64         // bytes of address space of each process; default 1 GiB
	Total    int64         // memory of the whole program; default twice Memory. Needs a control group
	FileSize int64         // bytes of each file that the program writes; default 16 MiB
	// Scratch is the number of bytes in the scratch directory, in /tmp and in /dev/shm, each;
	// default 64 MiB. Only Bubblewrap enforces it.
	Scratch     int64
	Files       int   // open files of each process; default 128
	Processes   int   // processes and threads of the program; default 32
	Output      int64 // bytes of output that are stored, the rest is dropped; default 1 MiB
	Events      int   // maximum number of recorded states; default 1,000,000
	RecordBytes int64 // memory for recorded states and their texts; default 512 MiB
}

func (l Limits) orDefault() Limits {
	set := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&l.Memory, 1<<30)
	set(&l.Total, 2*l.Memory)
	set(&l.FileSize, 16<<20)
	set(&l.Scratch, 64<<20)
	set(&l.Output, 1<<20)
	set(&l.RecordBytes, 512<<20)
	if l.CPU <= 0 {
		l.CPU = 10 * time.Second
	}
	if l.Files <= 0 {
		l.Files = 128
	}
	if l.Processes <= 0 {
		l.Processes = 32
	}
	if l.Events <= 0 {
		l.Events = 1_000_000
	}
	return l
}

// Level is the strength of the containment.
type Level uint8

// Auto selects the strongest level that works. The other levels are, from strong to weak:
// Bubblewrap, a sandbox made by bubblewrap; OwnUser, limits and a separate user for each
// program, which requires root; LimitsOnly, only limits.
const (
	Auto Level = iota
	Bubblewrap
	OwnUser
	LimitsOnly
)

func (l Level) String() string {
	switch l {
	case Bubblewrap:
		return "bubblewrap"
	case OwnUser:
		return "own user"
	}
	return "limits"
}

// Containment prepares programs so that they run with limited access and resources.
type Containment struct {
	level   Level
	why     error // why no stronger level is in use, nil if the level was asked for
	warning string
	limits  Limits
	python  *sandbox.Interpreter
	bwrap   *sandbox.Bwrap
	users   *sandbox.Users // nil if a separate user is impossible or not needed
	group   *controlGroup  // nil if there is none
	noGroup error          // the reason why group is nil
	program atomic.Uint32  // numbers programs, so that each gets another user
}

// Level returns the level in use.
func (c *Containment) Level() Level { return c.level }

// Warning returns a text that says what is not contained, and why. It returns "" for
// bubblewrap.
func (c *Containment) Warning() string { return c.warning }

// Why returns why no stronger level is in use, nil if the level was asked for or is the strongest.
func (c *Containment) Why() error { return c.why }

// ControlGroup returns the directory of the programs' control groups (cgroup v2), which
// limit the total resources of each program. The error says why there are none.
func (c *Containment) ControlGroup() (dir string, why error) {
	if c.group == nil {
		return "", c.noGroup
	}
	return c.group.dir, nil
}

// Close releases the system resources. No program may be running.
func (c *Containment) Close() {
	if c.group != nil {
		c.group.close()
	}
}

// Python returns the path of the interpreter that runs the programs.
func (c *Containment) Python() string { return c.python.Executable }

// New prepares a containment at a level, and tests it by running a program of one
// line. python names an interpreter as in trace.Options. Only Auto may use a weaker level
// than the strongest, which Warning then reports. Any other level that does not work here
// is an error.
func New(ctx context.Context, python string, wanted Level, l Limits) (*Containment, error) {
	if err := sandbox.KeepDescriptors(); err != nil {
		return nil, err
	}
	path, err := trace.FindPython(python, os.Environ())
	if err != nil {
		return nil, err
	}
	found, err := sandbox.FindInterpreter(ctx, path)
	if err != nil {
		return nil, err
	}
	base := Containment{python: found, limits: l.orDefault()}
	self, _ := os.ReadFile("/proc/self/cgroup") // if it is missing, the error below says so
	base.group, base.noGroup = findControlGroup("/sys/fs/cgroup", string(self))
	base.users = sandbox.FindUsers()
	var why, last error // the reasons why the first and the last level do not work
	from, to := wanted, wanted
	if wanted == Auto {
		from, to = Bubblewrap, LimitsOnly
	}
	for level := from; level <= to; level++ {
		c := &Containment{level: level, python: base.python, limits: base.limits, users: base.users, group: base.group, noGroup: base.noGroup}
		err := c.find()
		if err == nil {
			err = c.try(ctx)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			c.warn(why)
			return c, nil
		}
		last = err
		if why == nil {
			why = err
		}
	}
	base.Close()
	if wanted != Auto {
		return nil, fmt.Errorf("programs cannot be contained at the requested level, %s, and npdb does not use a weaker one: %w", wanted, last)
	}
	return nil, fmt.Errorf("no program can be run under %s: %w", base.python.Executable, last)
}

// find looks for the tools that the level needs.
func (c *Containment) find() (err error) {
	switch c.level {
	case Bubblewrap:
		if folder := hiddenFolder(c.python); folder != "" {
			return fmt.Errorf("the Python %s lies in %s, which is another, empty folder in a sandbox: use one elsewhere (--python)", c.python.Executable, folder)
		}
		c.bwrap, err = sandbox.FindBwrap(c.users != nil)
		return err
	case OwnUser:
		if c.users == nil {
			return errors.New("a separate user for each program requires root and setpriv")
		}
	default:
		c.users = nil
	}
	return nil
}

// hiddenFolder returns the folder that the sandbox replaces by an empty one and that holds a part of an
// interpreter, "" if there is none.
func hiddenFolder(python *sandbox.Interpreter) string {
	for _, path := range append([]string{python.Executable}, python.Prefixes...) {
		for _, folder := range []string{"/tmp", "/dev/shm"} {
			if strings.HasPrefix(path, folder+"/") {
				return folder
			}
		}
	}
	return ""
}

// warn sets the warning that says what the level does not contain. why is the reason why a
// stronger level was not used, if any.
func (c *Containment) warn(why error) {
	c.why = why
	reason := "as asked"
	if why != nil {
		reason = why.Error()
	}
	switch c.level {
	case OwnUser:
		c.warning = "programs are not in a sandbox (" + reason + "): each runs as a user of its own with limits on time, memory and processes, " +
			"and can " + c.online() + "read what everybody may read, and leave processes behind. " + sandbox.Advice("serve nobody you do not trust")
	case LimitsOnly:
		c.warning = "programs are not in a sandbox (" + reason + "): they run as this user, with limits on time and memory, " +
			"and can " + c.online() + "read and change this user's files, and leave processes behind. " + sandbox.Advice("serve nobody you do not trust")
		if os.Geteuid() == 0 {
			c.warning += ". This user is root, whom no limit on processes binds"
		}
	}
}

// online returns, for the warning, that a program can use the network; or "" if a filter of
// system calls prevents that.
func (c *Containment) online() string {
	if sandbox.Confining() == nil {
		return "use the network, "
	}
	return ""
}

// try tests the containment: it runs a trial program to its end.
func (c *Containment) try(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "npdb-trial-")
	if err != nil {
		return fmt.Errorf("no scratch directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	script := filepath.Join(dir, "program.py")
	if err := os.WriteFile(script, []byte(c.python.Trial()), 0o600); err != nil {
		return fmt.Errorf("no scratch directory: %w", err)
	}
	o := trace.Options{Script: script, Dir: dir}
	c.Prepare(&o)
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	o.Stdin = null
	const enough = 20 * time.Second
	ctx, cancel := context.WithTimeout(ctx, enough)
	defer cancel()
	rec, at, err := trace.Start(ctx, o)
	if err != nil {
		return fmt.Errorf("a trial run in %s failed: %w", c.level, withTraceback(err))
	}
	defer func() { _ = rec.Close() }()
	if at, err = rec.Move(ctx, at.Position, dsl.Action{Move: dsl.Continue}); err != nil {
		return fmt.Errorf("a trial run in %s failed: %w", c.level, err)
	}
	if exit := rec.Exit(); !at.End || exit == nil || exit.Code != 0 {
		return fmt.Errorf("a trial run in %s did not find the standard library of %s", c.level, c.python.Executable)
	}
	return nil
}

// withTraceback returns the message of the sandbox, if there is one, in place of npdb's own.
// StartError stores it in place of Python's traceback.
func withTraceback(err error) error {
	var start *trace.StartError
	if errors.As(err, &start) && start.Traceback != "" {
		return errors.New(start.Traceback)
	}
	return err
}

// Prepare contains a program: it sets the interpreter, the wrapping command and the
// limits. The environment is the caller's except PATH and TMPDIR; nil means an empty one,
// not npdb's own. o.Dir, or the folder of o.Script, is the program's scratch directory. If
// Prepare fails, the program will not start.
func (c *Containment) Prepare(o *trace.Options) {
	if o.Dir == "" {
		o.Dir = filepath.Dir(o.Script)
	}
	scratch, err := filepath.Abs(o.Dir)
	var wrap []string
	if err == nil {
		wrap, err = c.Wrap(scratch)
	}
	if err != nil {
		o.Wrap = []string{"/bin/sh", "-c", `echo "$1" >&2; exit 1`, "sh", "it cannot be contained: " + err.Error()}
		return
	}
	o.Dir, o.Python, o.Wrap = scratch, c.python.Executable, wrap
	o.Env = c.Environment(scratch, o.Env)
	o.Limits.OutputBytes = c.limits.Output
	o.Limits.Events, o.Limits.Bytes = c.limits.Events, c.limits.RecordBytes
}

// PrepareInPlace makes a program of the user run in a sandbox. Other than with Prepare, the program sees
// folders read-only at their own paths, and can write only to /tmp. folders are absolute paths. The program
// runs in o.Dir, which must be one of folders or below one. The limits of o on recording stay as they are.
// The program runs as npdb's user, because another user might not be allowed to read the folders; so if npdb
// runs as root, the limit on processes has no effect.
func (c *Containment) PrepareInPlace(o *trace.Options, folders []string) error {
	if c.level != Bubblewrap {
		return fmt.Errorf("only a sandbox of bubblewrap can show a program its folder: %s", c.warning)
	}
	var group []string
	if c.group != nil {
		var err error
		if group, err = c.group.add(c.limits); err != nil {
			return err
		}
	}
	o.Python = c.python.Executable
	o.Wrap = slices.Concat(group, c.inPlace(folders, o.Dir), []string{"/bin/sh", "-c", c.script(false), "sh"})
	o.Env = c.Environment("/tmp", nil)
	return nil
}

// Wrap returns a command that contains one program: the interpreter and its arguments are to be
// appended. scratch is the absolute path of the program's scratch directory, in which it starts. In
// a sandbox it is a copy.
func (c *Containment) Wrap(scratch string) ([]string, error) {
	asUser, err := c.asUser(scratch)
	if err != nil {
		return nil, err
	}
	var group []string
	if c.group != nil {
		if group, err = c.group.add(c.limits); err != nil {
			return nil, err
		}
	}
	limited := append([]string{"/bin/sh", "-c", c.script(true), "sh"}, asUser...)
	if c.level == Bubblewrap {
		return slices.Concat(group, c.sandbox(scratch), limited), nil
	}
	return slices.Concat(group, sandbox.Confining(), limited), nil
}

// Holds reports whether a contained program can neither use the network nor change files that only
// this user may change.
func (c *Containment) Holds() bool {
	return c.level == Bubblewrap || c.level == OwnUser && sandbox.Confining() != nil
}

// Environment returns a program's environment: the given one or, if that is nil, a minimal
// one, with values of PATH and TMPDIR that suit the sandbox.
func (c *Containment) Environment(scratch string, env []string) []string {
	tmp := scratch
	if c.level == Bubblewrap {
		tmp = "/tmp"
	}
	if env == nil {
		env = []string{"HOME=" + scratch, "LANG=C.UTF-8"}
	}
	return slices.Concat(env, []string{"PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + tmp})
}
