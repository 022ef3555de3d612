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
	"github.com/npdb/npdb/trace"
)

// containments are those of each level, found once, with small limits.
var containments [LimitsOnly + 1]func() (*Containment, error)

func init() {
	for level := range containments {
		containments[level] = sync.OnceValues(func() (*Containment, error) {
			python := "python3"
			if Level(level) == OwnUser {
				python = "/usr/bin/python3" // one that another user may run
			}
			return Contain(context.Background(), python, Level(level), Limits{
				CPU: 2 * time.Second, Memory: 256 << 20, FileSize: 1 << 20, Scratch: 4 << 20, Processes: 20, Output: 1 << 16,
			})
		})
	}
}

func contained(t *testing.T, level Level) *Containment {
	t.Helper()
	c, err := containments[level]()
	if start := (*trace.StartError)(nil); errors.As(err, &start) && start.Kind == trace.NoPython {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if c.Level() != level {
		t.Skip("does not work here: ", c.Warning())
	}
	return c
}

// run is how a program ended in a containment.
type run struct {
	exit   *dsl.Exit // nil: it did not end in its time
	output string
}

// runIn runs a program to its end, or for so long.
func runIn(t *testing.T, c *Containment, program string, most time.Duration) run {
	t.Helper()
	dir, err := os.MkdirTemp("", "npdb-test-") // not under a directory of this user alone
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
		t.Fatal(withTraceback(err))
	}
	defer func() { _ = rec.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	for range 2 { // the exception that nothing caught is a stop before the end
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
	const all = 1<<Bubblewrap | 1<<OwnUser | 1<<LimitsOnly
	const users = 1<<Bubblewrap | 1<<OwnUser
	const sandbox = 1 << Bubblewrap
	for _, c := range []struct {
		name    string
		levels  int // that hold it
		program string
		want    string // output, or the beginning of it
		code    int
	}{
		{"an honest program", all, "import os\nwith open('x', 'w') as f:\n    f.write('hi')\nprint(open('x').read(), sorted(os.listdir('.')))\n", "hi ['program.py', 'x']\n", 0},
		{"its own exit status", all, "import sys\nsys.exit(139)\n", "", 139},
		{"a signal", all, "import os\nos.kill(os.getpid(), 11)\n", "", -11},
		{"another's file", users, "try:\n    print(open(" + fmt.Sprintf("%q", secret) + ").read())\nexcept OSError:\n    print('no')\n", "no\n", 0},
		{"the home", sandbox, "import os\nprint(os.path.exists(os.path.join(" + fmt.Sprintf("%q", home) + ", '.cache')), os.environ['HOME'] == os.getcwd())\n", "False True\n", 0},
		{"the environment", all, "import os\nprint([k for k in os.environ if k.startswith('NPDB')])\n", "[]\n", 0},
		{"a connection", sandbox, fmt.Sprintf("import socket\ntry:\n    socket.create_connection(('127.0.0.1', %d), 1)\n    print('yes')\nexcept OSError:\n    print('no')\n", listener.Addr().(*net.TCPAddr).Port), "no\n", 0},
		{"writing elsewhere", sandbox, "for path in [" + fmt.Sprintf("%q", written) + ", '/usr/x', '/etc/x', '/x', '/dev/x', '/bin/x', '/run/npdb/program/x']:\n" +
			"    try:\n        open(path, 'w')\n        print(path)\n    except OSError:\n        pass\nprint('done')\n", "done\n", 0},
		{"processes", users, "import os, time\nmade = 0\nfor i in range(500):\n    try:\n        if os.fork() == 0:\n            time.sleep(60)\n            os._exit(0)\n        made += 1\n    except BlockingIOError:\n        break\nprint(made <= 20)\n", "True\n", 0},
		{"memory", all, "try:\n    x = bytearray(8 << 30)\nexcept MemoryError:\n    print('no')\n", "no\n", 0},
		{"a large file", all, "try:\n    with open('x', 'wb') as f:\n        f.write(b'x' * (2 << 20))\nexcept OSError as e:\n    print(e.strerror)\n", "File too large\n", 0},
		{"many files", sandbox, "total = 0\nfor folder in '.', '/tmp', '/dev/shm':\n    try:\n        for i in range(100):\n            with open(f'{folder}/{i}', 'wb') as f:\n                f.write(b'x' * (1 << 20))\n                total += 1\n    except OSError as e:\n        print(e.strerror)\nprint(total <= 12)\n", "No space left on device\nNo space left on device\nNo space left on device\nTrue\n", 0},
		{"open files", all, "import os\nn = 0\ntry:\n    while True:\n        os.open('/dev/null', os.O_RDONLY)\n        n += 1\nexcept OSError:\n    print(n < 128)\n", "True\n", 0},
		{"a loop", sandbox, "while True:\n    pass\n", "", -24},
		{"a loop that hides", 1 << LimitsOnly, "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True:\n    pass\n", "", -9},
		{"other processes", sandbox, fmt.Sprintf("import os\ntry:\n    os.kill(%d, 0)\n    print('yes')\nexcept OSError:\n    print('no')\n", os.Getpid()), "no\n", 0},
		{"more rights", users, "import os\ntry:\n    os.setuid(0)\n    print('yes')\nexcept OSError:\n    print('no')\n", "no\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for level := Bubblewrap; level <= LimitsOnly; level++ {
				if c.levels&(1<<level) == 0 {
					continue
				}
				t.Run(level.String(), func(t *testing.T) {
					t.Parallel()
					const enough = time.Minute
					r := runIn(t, contained(t, level), c.program, enough)
					if r.exit == nil || r.exit.Code != c.code || r.output != c.want {
						t.Errorf("it ended with %+v and wrote %q; want %d and %q", r.exit, r.output, c.code, c.want)
					}
				})
			}
		})
	}
}

// What a program leaves behind in a sandbox ends with it, also what went into a
// session of its own.
func TestContainedLeavesNothing(t *testing.T) {
	t.Parallel()
	c := contained(t, Bubblewrap)
	mark := filepath.Base(t.TempDir()) + strings.Repeat("x", 10)
	program := fmt.Sprintf("import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', %q], start_new_session=True)\n", mark)
	if r := runIn(t, c, program, time.Minute); r.exit == nil || r.exit.Code != 0 {
		t.Fatalf("it ended with %+v and wrote %q", r.exit, r.output)
	}
	gone(t, mark)
}

// gone waits until no process has the mark in its command line.
func gone(t *testing.T, mark string) {
	t.Helper()
	deadline, tick := time.After(time.Minute), time.NewTicker(5*time.Millisecond)
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

// A move in a sandbox can be interrupted, its output is bounded while it runs,
// and closing ends it: the tracer is signalled, and not bwrap.
func TestContainedIsInterrupted(t *testing.T) {
	t.Parallel()
	for _, program := range []string{
		"while True:\n    print('x' * 1000)\n",
		"import os\nwhile True:\n    os.write(1, b'x' * 1000)\n",
		"import time\ntime.sleep(600)\n",
	} {
		c := contained(t, Bubblewrap)
		r := runIn(t, c, program, 300*time.Millisecond)
		if r.exit != nil {
			t.Errorf("%q ended: %+v", program, *r.exit)
		}
		if most := 1<<16 + 200; len(r.output) > most {
			t.Errorf("%q: %d bytes of output are kept, want at most %d", program, len(r.output), most)
		}
	}
}

func TestContainFallsBack(t *testing.T) {
	python := contained(t, LimitsOnly).Python() // no shim, which needs a PATH
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
			found, err := Contain(t.Context(), python, Bubblewrap, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if found.Level() == Bubblewrap || !strings.Contains(found.Warning(), c.want) {
				t.Errorf("level %v, and says %q; want a word of %q", found.Level(), found.Warning(), c.want)
			}
		})
	}
}
