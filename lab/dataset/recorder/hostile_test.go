//go:build linux

package recorder_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// hostile lists programs that misbehave, with the reason why each has no recording; "" if it has one.
var hostile = []struct{ name, source, reason string }{
	{"hangs", "while True:\n    pass\n", "too many events"},
	{"hangs in C", "x = 10 ** 10 ** 8\n", "time limit"},
	{"hangs in C, deaf", "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nx = 10 ** 10 ** 8\n", "time limit, killed"},
	{"sleeps", "import time\ntime.sleep(1e6)\n", "time limit"},
	{"catches everything", "while True:\n    try:\n        while True: x = 1\n    except:\n        pass\n", "too many events"},
	{"forks", "import os\nos.fork()\n", "starts processes"},
	{"forks past its audit", "import _posixsubprocess as s\ns.fork_exec([b'/bin/true'], [b'/bin/true'], True, (), None, None, -1, -1, -1, -1, -1, -1, -1, -1, True, False, 0, None, None, None, -1, None, True)\n", "any"},
	{"eats memory", "x = [0]\nwhile True:\n    x = x * 1000\n", "memory limit, long value"},
	{"eats memory at once", "def f():\n    return len(bytearray(1 << 40))\nf()\n", "memory limit"},
	{"prints a gigabyte", "s = 'x' * 1000\nfor i in range(9):\n    print(s * 100_000)\n", "long value"},
	{"prints a gigabyte, itself", "import os\ndef f():\n    s = b'x' * (1 << 20)\n    for i in range(1024):\n        os.write(1, s)\n        os.write(2, s)\nlist(map(lambda _: 0, ()))\nf()\n", "too many events, long value"},
	{"kills its parent", "import os\nos.kill(os.getppid(), 9)\n", "asks for chance"},
	{"kills another", "import os\nos.kill(1 << 30, 9)\n", "starts processes"},
	{"kills its group", "import os\nos.killpg(0, 9)\n", "starts processes"},
	{"closes descriptors", "import os\nos.closerange(0, 256)\nx = 1\n", "ends its process"},
	{"leaves at once", "import os\nos._exit(0)\n", "ends its process"},
	{"dies", "import signal\nsignal.raise_signal(signal.SIGSEGV)\n", "killed"},
	{"changes tracing", "import sys\nsys.settrace(None)\nx = 1\n", "changes tracing"},
	{"drops its frame's tracing", "import sys\ndef f():\n    sys._getframe().f_trace = None\n    return 1\nf()\ng = [f() for _ in 'ab']\n", "changes tracing"},
	{"ends by SystemExit", "raise SystemExit(2)\n", ""},
	{"reads input", "x = input()\n", "reads input"},
	{"reads input itself", "import sys\nfor line in sys.stdin:\n    pass\n", "reads input"},
	{"starts threads", "import threading\nt = threading.Thread(target=print)\nt.start()\n", "starts threads"},
	{"opens a file", "open('/etc/passwd')\n", "opens files"},
	{"uses the network", "import socket\nsocket.create_connection(('127.0.0.1', 1))\n", "uses the network"},
	{"reads the clock", "import time\nx = time.time()\n", "reads the clock"},
	{"reads a clock by number", "import time\nx = time.clock_gettime(time.CLOCK_REALTIME)\n", "reads the clock"},
	{"reads a clock by number, in ns", "import time\nx = time.clock_gettime_ns(1)\n", "reads the clock"},
	{"writes the time", "import time\nx = time.strftime('%Y')\n", "reads the clock"},
	{"writes the time in full", "import time\nx = time.asctime()\n", "reads the clock"},
	{"asks for the time by None", "import time\nx = time.localtime(None)\n", "reads the clock"},
	{"asks for the text of the time by None", "import time\nx = time.ctime(None)\n", "reads the clock"},
	{"reads the clock of processes", "import os\nx = os.times()\n", "reads the clock"},
	{"writes a given time", "import time\nt = time.gmtime(0)\nx = time.strftime('%Y', t), time.asctime(t), time.ctime(0), time.localtime(0)[0]\n", ""},
	{"asks for chance", "import random\nr = random.Random()\n", "asks for chance"},
	{"asks the system for chance", "import random\nx = random.SystemRandom().random()\n", "asks for chance"},
	{"asks for a secret", "import secrets\nx = secrets.token_hex(4)\n", "asks for chance"},
	{"asks for a secret number", "import secrets\nx = secrets.randbelow(9)\n", "asks for chance"},
	{"asks for random bytes", "import os\nx = getattr(os, 'getrandom', os.urandom)(4)\n", "asks for chance"},
	{"asks posix for random bytes", "import posix\nx = posix.urandom(4)\n", "asks for chance"},
	{"asks for random bytes by an import", "from os import urandom\nx = urandom(4)\n", "asks for chance"},
	{"asks for a UUID", "import uuid\nx = uuid.uuid4()\n", "asks for chance"},
	{"asks for a UUID of the time", "import uuid\nx = uuid.uuid1()\n", "asks for chance, opens files"},
	{"asks a base class for chance", "import _random\nx = _random.Random().random()\n", "asks for chance"},
	{"asks for its number", "import os\nx = os.getpid()\n", "asks for chance"},
	{"asks for its parent's number", "import os\nx = os.getppid()\n", "asks for chance"},
	{"asks who it is", "import os\nx = os.getuid()\n", "asks for chance"},
	{"asks posix who it is", "import posix\nx = posix.getuid()\n", "asks for chance"},
	{"asks for a chance seed", "import random\nrandom.seed()\n", "asks for chance"},
	{"has a seed", "import random\nrandom.seed(3)\nx = random.Random('a').random(), random.random()\n", ""},
	{"calls native code", "import ctypes\nctypes.string_at(0)\n", "calls native code"},
	{"forges bytes", "import os\nfor fd in range(3, 64):\n    try:\n        os.write(fd, b'\\x10\\0\\0\\0R' + b'\\0' * 64)\n    except OSError:\n        pass\n", "a spoiled recording"},
	{"forges a reason", "import os\nfor fd in range(3, 64):\n    try:\n        os.write(fd, b'\\x06\\0\\0\\0F<b>no')\n    except OSError:\n        pass\n", "a spoiled recording"},
	{"forges nothing", "import os\nfor fd in range(3, 64):\n    try:\n        os.write(fd, b'\\0\\0\\0\\0')\n    except OSError:\n        pass\n", "a spoiled recording"},
	{"forges a letter", "import os\nfor fd in range(3, 64):\n    try:\n        os.write(fd, b'\\2\\0\\0\\0X?')\n    except OSError:\n        pass\n", "a spoiled recording"},
	{"forges a large one", "import os\nfor fd in range(3, 64):\n    try:\n        os.write(fd, b'\\xff\\xff\\xff\\x7fR')\n    except OSError:\n        pass\n", "too large a recording"},
	{"breaks what records it", "import builtins\nbuiltins.len = None\nbuiltins.isinstance = builtins.getattr = None\nx = 1\n", "any"},
	{"edits the recorder", "import sys\nm = sys.modules['maker.values']\nm.render = lambda v: 'no'\nx = 1\n", "any"},
}

func TestHostile(t *testing.T) {
	for _, level := range []recorder.Containing{recorder.ContainBubblewrap, recorder.ContainLimits} {
		t.Run(fmt.Sprint(level), func(t *testing.T) {
			t.Parallel()
			w, err := recorder.Start(t.Context(), recorder.Config{
				Python: pythons.Any(t), Contain: level, Limits: recorder.Limits{Memory: 256 << 20, CPU: time.Second, Wall: 3 * time.Second},
			})
			if err != nil && level == recorder.ContainBubblewrap {
				t.Skip("no sandbox here: ", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close() })
			if got := w.Warning() == ""; got != (level == recorder.ContainBubblewrap) {
				t.Error("the warning is ", w.Warning())
			}
			honest := recorder.Program{Source: "def f(n):\n    return n + 1\nx = f(1)\n"}
			want := recorded(t, w, honest)
			for _, c := range hostile {
				r, err := w.Record(t.Context(), recorder.Job{Program: &recorder.Program{Source: c.source}})
				reason := ""
				if failed := (*recorder.Failure)(nil); errors.As(err, &failed) {
					reason = failed.Reason
				} else if err != nil {
					t.Errorf("%s: it costs the worker: %v", c.name, err)
					continue
				}
				if c.reason != "any" && !strings.Contains(c.reason, reason) || c.reason != "" && reason == "" && c.reason != "any" {
					t.Errorf("%s: the reason is %q, want %q; %v", c.name, reason, c.reason, r)
				}
				if got := recorded(t, w, honest); got != want {
					t.Errorf("after what %s, another program's recording is\n%s\nand was\n%s", c.name, got, want)
				}
			}
		})
	}
}

// recorded formats the recording of a program.
func recorded(t *testing.T, w *recorder.Worker, p recorder.Program) string {
	t.Helper()
	r, err := w.Record(t.Context(), recorder.Job{Program: &p})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range r.Tree.Len() {
		b.WriteString(said(r.Tree.State(i)) + "\n")
	}
	return b.String()
}

// TestSandbox checks that a program cannot reach the network, files or processes outside of its sandbox,
// even if it is recorded.
func TestSandbox(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	// maker imported ctypes. A call of it causes no audit event, because the hook looks at the caller's
	// file name, which exec can set.
	inside := func(body string) string {
		code := "import os, ctypes, sys\nlibc = sys.modules['maker.containing'].system\n" + body
		return fmt.Sprintf("import sys\nexec(compile(%q, sys.modules['maker.frames'].__file__, 'exec'), vars(sys.modules['maker']))\nsaid = sys.modules['maker'].said\n", code)
	}
	attempts := []struct{ name, body, want string }{
		{"kill the parent", "said = libc.kill(os.getppid(), 9)\n", "-1"},
		{"signal everybody", "said = libc.kill(-1, 9)\n", "-1"},
		{"limit the parent", "import resource\ntry:\n    resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))\n    said = 0\nexcept OSError:\n    said = -1\n", "-1"},
		{"fork", "said = libc.fork()\n", "-1"},
		{"become another", "said = libc.execv(b'/bin/true', (ctypes.c_char_p * 2)(b'true', None))\n", "-1"},
		{"look into the parent", "try:\n    os.open('/proc/%d/mem' % os.getppid(), os.O_RDWR)\n    said = 0\nexcept OSError:\n    said = -1\n", "-1"},
		{"write to the parent's pipe", "said = -1\nfor fd in range(64):\n    try:\n        os.write(os.open('/proc/%d/fd/%d' % (os.getppid(), fd), os.O_WRONLY), b'x')\n        said = fd\n    except OSError:\n        pass\n", "-1"},
		{"have the parent signalled", "import fcntl\ntry:\n    fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())\n    said = 0\nexcept OSError:\n    said = -1\n", "-1"},
		{"a socket of this machine's", "import socket\ntry:\n    socket.socket(socket.AF_UNIX)\n    said = 0\nexcept OSError:\n    said = -1\n", "-1"},
		{"a pair of datagrams", "import socket\ntry:\n    socket.socketpair(type=socket.SOCK_DGRAM)\n    said = 0\nexcept OSError:\n    said = -1\n", "-1"},
		{"an event loop", "import asyncio\nasync def f():\n    return -1\nsaid = asyncio.run(f())\n", "-1"},
		{"a socket", "import socket\ntry:\n    socket.socket()\n    said = 0\nexcept OSError:\n    said = -1\n", "-1"},
	}
	inSandbox := []struct{ name, body, want string }{
		{"another's file", fmt.Sprintf("try:\n    os.open(%q, os.O_RDONLY)\n    said = 0\nexcept OSError:\n    said = -1\n", secret), "-1"},
		{"writing", "said = []\nfor at in ('/tmp/x', '/dev/x', '/dev/shm/x', '/x', '/usr/x', '/etc/x', '/proc/x'):\n    try:\n        os.open(at, os.O_CREAT | os.O_WRONLY)\n        said.append(at)\n    except OSError:\n        pass\n", "[]"},
	}
	for _, level := range []recorder.Containing{recorder.ContainBubblewrap, recorder.ContainLimits} {
		w, err := recorder.Start(t.Context(), recorder.Config{Python: pythons.Any(t), Contain: level})
		if err != nil && level == recorder.ContainBubblewrap {
			t.Log("no sandbox here: ", err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all := attempts
		if level == recorder.ContainBubblewrap {
			all = append(all, inSandbox...)
		}
		for _, a := range all {
			r, err := w.Record(t.Context(), recorder.Job{Program: &recorder.Program{Source: inside(a.body)}, Events: 1000})
			if err != nil {
				t.Errorf("%v, %s: %v", level, a.name, err)
				continue
			}
			s := r.Tree.State(r.Tree.Len() - 1)
			found := ""
			for _, l := range s.Locals {
				if l.Name == "said" {
					found = l.Value
				}
			}
			if found != a.want {
				t.Errorf("%v, %s: it has %q, want %s; %s", level, a.name, found, a.want, said(s))
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}
