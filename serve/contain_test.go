//go:build linux

package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/contain"
)

// containments returns the containment of each level, with small limits. It is prepared only once.
var containments [contain.LimitsOnly + 1]func() (*contain.Containment, error)

func init() {
	for level := range containments {
		containments[level] = sync.OnceValues(func() (*contain.Containment, error) {
			python := "python3"
			if contain.Level(level) == contain.OwnUser {
				python = "/usr/bin/python3" // an interpreter that another user may run
			}
			if _, err := leaked(); err != nil {
				return nil, err
			}
			return contain.New(context.Background(), python, contain.Level(level), contain.Limits{
				CPU: 2 * time.Second, Memory: 256 << 20, FileSize: 1 << 20, Scratch: 4 << 20, Processes: 20, Output: 1 << 16, RecordBytes: 32 << 20, Events: 30_000,
			})
		})
	}
}

func contained(t *testing.T, level contain.Level) *contain.Containment {
	t.Helper()
	c, err := containments[level]()
	if start := (*trace.StartError)(nil); errors.As(err, &start) && start.Kind == trace.NoPython {
		t.Skip(err)
	}
	switch {
	case err == nil:
		return c
	case level == contain.LimitsOnly:
		t.Fatal(err) // this level works everywhere
	}
	t.Skip("does not work here: ", err)
	return nil
}

// run is how a program ended in a containment.
type run struct {
	exit   *dsl.Exit // nil if it did not end in time
	output string
}

// runIn runs a program to its end, but at most for the given time.
func runIn(t *testing.T, c *contain.Containment, program string, most time.Duration) run {
	t.Helper()
	dir, err := os.MkdirTemp("", "npdb-test-") // a directory that other users may read
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	o := trace.Options{Script: filepath.Join(dir, "program.py"), Dir: dir, Stdin: strings.NewReader("")}
	if err := os.WriteFile(o.Script, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Prepare(&o)
	rec, at, err := trace.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rec.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	// An uncaught exception stops the program before its end. On a fast machine the limit on
	// recorded events may stop it too.
	for !at.End && ctx.Err() == nil {
		if at, err = rec.Move(ctx, at.Position, dsl.Action{Move: dsl.Continue}); err != nil {
			t.Fatal(err)
		}
	}
	r := run{exit: rec.Exit()}
	for _, out := range rec.Output(-1, -1) {
		r.output += out.Text
	}
	return r
}

// filesBesidePython is a program that lists the files in a directory. It omits the files of its own
// Python, which pyenv installs in the home directory.
const filesBesidePython = `import os, sys
python = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)}
seen = []
for folder, folders, files in os.walk(%q):
    folders[:] = [f for f in folders if os.path.realpath(os.path.join(folder, f)) not in python]
    seen += [os.path.join(folder, f) for f in files if os.path.join(folder, f) != sys.executable]
print(seen)
`

func TestContained(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	written := filepath.Join(filepath.Dir(secret), "written")
	t.Cleanup(func() { // when all have run
		listener.Close()
		if _, err := os.Stat(written); !errors.Is(err, os.ErrNotExist) {
			t.Error("a file outside was written: ", err)
		}
	})
	server, err := net.Listen("unix", filepath.Join(filepath.Dir(secret), "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	const all = "" // not a row of the table: the case tests what programs are allowed to do
	for _, c := range []struct {
		name    string
		row     string // row of the table
		program string
		want    string // output, or its beginning
		code    int
	}{
		{"an honest program", all, "import os\nwith open('x', 'w') as f:\n    f.write('hi')\nprint(open('x').read(), sorted(os.listdir('.')))\n", "hi ['program.py', 'x']\n", 0},
		{"its own exit status", all, "import sys\nsys.exit(139)\n", "", 139},
		{"a signal", all, "import os\nos.kill(os.getpid(), 11)\n", "", -11},
		{"another's file", "reads files of the server's user", "try:\n    print(open(" + fmt.Sprintf("%q", secret) + ").read())\nexcept OSError:\n    print('no')\n", "no\n", 0},
		{"the home", "reads what everybody may read", fmt.Sprintf(filesBesidePython, home) + "print(os.environ['HOME'] == os.getcwd())\n", "[]\nTrue\n", 0},
		{"the environment", all, "import os\nprint([k for k in os.environ if k.startswith('NPDB')])\n", "[]\n", 0},
		{"a connection", "opens network connections", fmt.Sprintf("import socket\ntry:\n    socket.create_connection(('127.0.0.1', %d), 1)\n    print('yes')\nexcept OSError:\n    print('no')\n", listener.Addr().(*net.TCPAddr).Port), "no\n", 0},
		{"writing elsewhere", "writes outside its scratch directory", "for path in [" + fmt.Sprintf("%q", written) + ", '/usr/x', '/etc/x', '/x', '/dev/x', '/bin/x', '/run/npdb/program/x']:\n" +
			"    try:\n        open(path, 'w')\n        print(path)\n    except OSError:\n        pass\nprint('done')\n", "done\n", 0},
		{"processes", "forks without end", "import os, time\nmade = 0\nfor i in range(500):\n    try:\n        if os.fork() == 0:\n            time.sleep(60)\n            os._exit(0)\n        made += 1\n    except BlockingIOError:\n        break\nprint(made <= 20)\n", "True\n", 0},
		{"memory", "takes much memory", "try:\n    x = bytearray(8 << 30)\nexcept MemoryError:\n    print('no')\n", "no\n", 0},
		{"a large file", "writes a large file", "try:\n    with open('x', 'wb') as f:\n        f.write(b'x' * (2 << 20))\nexcept OSError as e:\n    print(e.strerror)\n", "File too large\n", 0},
		{"many files", "writes many files", "total = 0\nfor folder in '.', '/tmp', '/dev/shm':\n    try:\n        for i in range(100):\n            with open(f'{folder}/{i}', 'wb') as f:\n                f.write(b'x' * (1 << 20))\n                total += 1\n    except OSError as e:\n        print(e.strerror)\nprint(total <= 12)\n", "No space left on device\nNo space left on device\nNo space left on device\nTrue\n", 0},
		{"open files", "opens many files", "import os\nn = 0\ntry:\n    while True:\n        os.open('/dev/null', os.O_RDONLY)\n        n += 1\nexcept OSError:\n    print(n < 128)\n", "True\n", 0},
		{"a loop", "loops", "while True:\n    pass\n", "", -24},
		{"a loop that hides", all, "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True:\n    pass\n", "", -9},
		{"a socket's file", "speaks to servers of this machine by files", "import socket\ntry:\n    socket.socket(socket.AF_UNIX).connect(" + fmt.Sprintf("%q", server.Addr().String()) + ")\n    print('yes')\nexcept OSError:\n    print('no')\n", "no\n", 0},
		{"other processes", "signals or looks at other processes", fmt.Sprintf("import os\ntry:\n    os.kill(%d, 0)\n    print('yes')\nexcept OSError:\n    print('no')\n", os.Getpid()), "no\n", 0},
		{"rights that are handed on", "uses rights that only root has", "print({l for l in open('/proc/self/status') if l[:6] in ('CapInh', 'CapPrm', 'CapEff', 'CapAmb') and int(l.split()[1], 16)} or 'none')\n", "none\n", 0},
		{"more rights", "uses rights that only root has", "import os\ntry:\n    os.setuid(0)\n    print('yes')\nexcept OSError:\n    print('no')\n", "no\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			levels := []contain.Level{contain.Bubblewrap, contain.OwnUser, contain.LimitsOnly}
			if c.row != all {
				levels = heldAt(t, c.row)
			}
			levels = tried(t, levels)
			if strings.HasPrefix(c.name, "a loop") && !longtest.Asked(t) {
				levels = levels[:1] // it uses its whole CPU time, and that limit is the same at each level
			}
			for _, level := range levels {
				t.Run(level.String(), func(t *testing.T) {
					t.Parallel()
					r := runIn(t, contained(t, level), c.program, attackTimeout)
					if r.exit == nil || r.exit.Code != c.code || r.output != c.want {
						t.Errorf("it ended with %+v and wrote %q; want %d and %q", r.exit, r.output, c.code, c.want)
					}
				})
			}
		})
	}
}

// TestContainedLeavesNothing checks that processes started by a program end with its sandbox, even
// those in another session.
func TestContainedLeavesNothing(t *testing.T) {
	t.Parallel()
	levels := heldAt(t, "leaves processes behind")
	if len(levels) != 1 {
		t.Fatal("held at more levels than are tried: ", levels)
	}
	c := contained(t, levels[0])
	mark := filepath.Base(t.TempDir()) + strings.Repeat("x", 10)
	program := fmt.Sprintf("import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', %q], start_new_session=True)\n", mark)
	if r := runIn(t, c, program, attackTimeout); r.exit == nil || r.exit.Code != 0 {
		t.Fatalf("it ended with %+v and wrote %q", r.exit, r.output)
	}
	gone(t, mark)
}

// gone waits until no process has the text mark in its command line.
func gone(t *testing.T, mark string) {
	t.Helper()
	deadline, tick := time.After(attackTimeout), time.NewTicker(5*time.Millisecond)
	defer tick.Stop()
	for {
		found := ""
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, path := range lines {
			if text, _ := os.ReadFile(path); strings.Contains(string(text), mark) {
				found = path
			}
		}
		if found == "" {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("still there: ", found)
		}
	}
}

// TestContainedIsInterrupted checks that a move in a sandbox can be interrupted, that the program's
// output is limited while it runs, and that closing the recording ends it. The signals go to the
// tracer, not to bwrap.
func TestContainedIsInterrupted(t *testing.T) {
	t.Parallel()
	for _, program := range []string{
		"while True:\n    print('x' * 1000)\n",
		"import os\nwhile True:\n    os.write(1, b'x' * 1000)\n",
		"import time\ntime.sleep(600)\n",
	} {
		for _, level := range tried(t, heldAt(t, "prints without end")) {
			r := runIn(t, contained(t, level), program, 300*time.Millisecond)
			if r.exit != nil {
				t.Errorf("%v: %q ended: %+v", level, program, *r.exit)
			}
			if most := 1<<16 + 200; len(r.output) > most {
				t.Errorf("%v: %q: %d bytes of output are kept, want at most %d", level, program, len(r.output), most)
			}
		}
	}
}

// TestContainFallsBack checks that contain.Auto falls back to a weaker level and reports that, and
// that a level requested by name does not fall back.
func TestContainFallsBack(t *testing.T) {
	python := contained(t, contain.LimitsOnly).Python() // not a shim, which needs a PATH
	for _, c := range []struct{ name, bwrap, want string }{
		{"not installed", "", "is not installed"},
		{"cannot make namespaces", "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", "No permissions to create new namespace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.bwrap != "" {
				if err := os.WriteFile(filepath.Join(dir, "bwrap"), []byte(c.bwrap), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", dir)
			found, err := contain.New(t.Context(), python, contain.Auto, contain.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if found.Level() == contain.Bubblewrap || !strings.Contains(found.Warning(), c.want) {
				t.Errorf("level %v, and says %q; want a word of %q", found.Level(), found.Warning(), c.want)
			}
			for _, level := range []contain.Level{contain.Bubblewrap, contain.OwnUser} { // setpriv is missing too
				found, err := contain.New(t.Context(), python, level, contain.Limits{})
				if err == nil {
					t.Errorf("%v was asked for, and it is %v", level, found.Level())
				} else if want := "requested level, " + level.String(); !strings.Contains(err.Error(), want) || level == contain.Bubblewrap && !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v: %v", level, err)
				}
			}
		})
	}
}

// TestControlGroupHolds checks that a real control group limits the total resources of a
// program.
func TestControlGroupHolds(t *testing.T) {
	c := contained(t, contain.LimitsOnly)
	if _, why := c.ControlGroup(); why != nil {
		t.Skip("no control group here: ", why)
	}
	r := runIn(t, c, "import os\nx = []\nfor i in range(8):\n    if os.fork() == 0:\n        x = bytearray(200 << 20)\n        os._exit(0)\nfor i in range(8):\n    os.wait()\nprint('all')\n", attackTimeout)
	if r.exit == nil || r.exit.Code != -9 || r.output != "" {
		t.Errorf("it ended with %+v and wrote %q; want it killed", r.exit, r.output)
	}
}
