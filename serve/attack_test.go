//go:build linux

package serve

import (
	"fmt"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/contain"
)

// leaked returns the path of a file that this process has open for reading and writing and
// passes on to child processes, as if it had been started with it.
var leaked = sync.OnceValues(func() (path string, err error) {
	file, err := os.CreateTemp("", "npdb-leaked-")
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err := file.WriteString("hunter2"); err != nil {
		return "", err
	}
	// This process has no other descriptor with this number.
	const high = 200
	return file.Name(), unix.Dup3(int(file.Fd()), high, 0)
})

// attackTimeout is the server's time limit in tests of attacks. A program that never ends is killed by the
// limit of its processor time, so the server's limit, which counts what other tests use, can be long.
const attackTimeout = 5 * time.Minute

// attacked returns a server that answers with CPython, contained at this level.
func attacked(t *testing.T, level contain.Level) *httptest.Server {
	t.Helper()
	c := contained(t, level)
	oracle := cpython.New(cpython.Config{Python: c.Python(), Prepare: c.Prepare, Timeout: attackTimeout})
	t.Cleanup(func() { _ = oracle.Close() })
	return served(t, func(config *Config) {
		config.Models = []Model{{Name: "oracle", Predictor: oracle}}
		config.Window, config.Timeout = 1<<20, attackTimeout
	})
}

// oracled requests, over HTTP, the state at the last line of a program. The program must not fail
// before that line.
func oracled(t *testing.T, server *httptest.Server, program string) (reply dsl.Reply, why string) {
	t.Helper()
	program = strings.TrimSuffix(program, "\n")
	var context strings.Builder
	lines := strings.Split(program, "\n")
	for i, line := range lines {
		fmt.Fprintf(&context, "%d|%s\n", i+1, line)
	}
	prompt := "<|trace_context_start|>" + context.String() + `<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|` + lines[0] +
		"\n<|frame_sep|><|debug_sep|>breakpoint " + strconv.Itoa(len(lines)) + "<|frame_sep|>"
	got, h := complete(t, server, object{
		"prompt": prompt, "max_tokens": 100000, "skip_special_tokens": false,
		"stop": "<|frame_sep|>", "include_stop_str_in_output": true,
	})
	return decoded(t, prompt, got.Choices[0].Text), h.Get(reasonHeader)
}

// said returns the value of a local in the reply's state, or "".
func said(reply dsl.Reply, name string) string {
	if reply.Stop == nil {
		return ""
	}
	for _, l := range reply.Stop.Locals {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

// number returns the number of a system call on this machine.
func number(amd64, arm64 int) int {
	if runtime.GOARCH == "arm64" {
		return arm64
	}
	return amd64
}

// TestAttacks runs programs that try to break out of their sandbox. None may succeed at any level.
func TestAttacks(t *testing.T) {
	path, err := leaked()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // when all have run
		if text, _ := os.ReadFile(path); string(text) != "hunter2" {
			t.Errorf("the server's file was written: %q", text)
		}
		_ = os.Remove(path)
	})
	const call = `import ctypes, errno, os, socket
def libc(): # no global: its repr tells an address
    return ctypes.CDLL(None, use_errno=True)
def call(*args):
    if libc().syscall(*[ctypes.c_long(a) for a in args]) == -1:
        return errno.errorcode[ctypes.get_errno()]
    return "done"
def attempt(f, *args):
    try:
        f(*args)
        return "done"
    except OSError as e:
        return errno.errorcode[e.errno]
def mount(): # where nobody else looks, and not for long
    here = os.getcwd().encode()
    if libc().mount(b"t", here, b"tmpfs", 0, None) == -1:
        return errno.errorcode[ctypes.get_errno()]
    libc().umount2(here, 2)
    return "done"
def child(number):
    pid = os.fork()
    if pid == 0:
        call(number)
        os._exit(0)
    return os.waitpid(pid, 0)[1]
`
	calls := func(of ...any) string { // verdict is the result of each call
		var b strings.Builder
		b.WriteString(call + "verdict = []\n")
		for _, attempt := range of {
			if n, ok := attempt.(int); ok {
				attempt = "call(" + strconv.Itoa(n) + ", 0, 0, 0, 0, 0, 0)"
			}
			fmt.Fprintf(&b, "verdict.append(%v)\n", attempt)
		}
		return b.String() + "pass\n"
	}
	all := func(name string, n int) string {
		return "['" + strings.Repeat(name+"', '", n-1) + name + "']"
	}
	const names, memory = "makes name spaces, mounts, debugs", "takes memory that is in no such limit"
	for _, c := range []struct{ row, name, program, want string }{
		{
			"uses a descriptor that the server was started with", "a descriptor that the server was started with", `import os
verdict = []
for fd in range(3, 1024):
    try:
        if b"hunter" in os.pread(fd, 10, 0):
            verdict.append(fd)
        os.pwrite(fd, b"0wned", 0) if fd in verdict else None
    except OSError:
        continue
pass
`, "[]",
		},
		{memory, "memory of System V's", calls("call("+strconv.Itoa(number(29, 194))+", 1, 4096, 0)", number(30, 196), number(31, 195), number(67, 197)), all("ENOSYS", 4)},
		{memory, "queues of System V's", calls("call("+strconv.Itoa(number(68, 186))+", 1, 0)", number(69, 189), "call("+strconv.Itoa(number(64, 190))+", 1, 0, 0)", number(65, 193)), all("ENOSYS", 4)},
		{memory, "memory in a file without a name", calls(number(319, 279), 447), all("ENOSYS", 2)},
		{
			names, "a name space of users", calls(
				"call("+strconv.Itoa(number(272, 97))+", 0x10000000)",
				"call("+strconv.Itoa(number(272, 97))+", 0x20000)",
				"call("+strconv.Itoa(number(56, 220))+", 0x10000011, 0, 0, 0, 0)",
			), all("EPERM", 3),
		},
		{names, "a name space by the new call", calls(435), all("ENOSYS", 1)},
		{memory, "mounting memory", calls("mount()", number(161, 51), number(155, 41), number(166, 39), 428, 429, 430, 431, 432, 433, 442), all("EPERM", 11)},
		{names, "another's name spaces", calls(number(308, 268)), all("EPERM", 1)},
		{names, "other processes' memory", calls(number(101, 117), number(310, 270), number(311, 271), number(312, 272), 438), all("EPERM", 5)},
		{memory, "rings", calls(425, 426, 427), all("ENOSYS", 3)},
		{names, "the kernel's insides", calls(number(321, 280), number(298, 241), number(323, 282), number(248, 217), number(249, 218), number(250, 219), number(103, 116)), all("EPERM", 7)},
		{names, "a network past the name space", calls("attempt(socket.socket, 40, socket.SOCK_STREAM)", "attempt(socket.socket, 38, socket.SOCK_SEQPACKET)", "attempt(socket.socketpair, 30, socket.SOCK_STREAM)"), all("EAFNOSUPPORT", 3)},
		{names, "the calls of another machine", calls("child(" + strconv.Itoa(0x40000000+39) + ")"), "[" + strconv.Itoa(int(unix.SIGSYS)) + "]"},
		{names, "what honest programs do", calls(
			"attempt(lambda: [s.close() for s in socket.socketpair()])", "attempt(lambda: os.waitpid(os.fork() or os._exit(0), 0))",
			"attempt(lambda: __import__('subprocess').run(['true'], check=True))",
			"attempt(lambda: [t := __import__('threading').Thread(target=int), t.start(), t.join()])",
			"attempt(lambda: __import__('asyncio').run(__import__('asyncio').sleep(0)))",
			"attempt(lambda: __import__('mmap').mmap(-1, 4096))",
			"attempt(lambda: __import__('tempfile').TemporaryFile().write(b'x'))",
		), all("done", 7)},
	} {
		if runtime.GOARCH != "amd64" && c.name == "the calls of another machine" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, level := range tried(t, heldAt(t, c.row)) {
				t.Run(level.String(), func(t *testing.T) {
					reply, why := oracled(t, attacked(t, level), c.program)
					if got := said(reply, "verdict"); got != c.want {
						t.Errorf("the program got %s (%s), want %s", got, why, c.want)
					}
				})
			}
		})
	}
}

// TestRunsOn checks that an endless program is stopped at the recording's limit.
func TestRunsOn(t *testing.T) {
	t.Parallel()
	for _, level := range tried(t, heldAt(t, "runs on and on")) {
		reply, why := oracled(t, attacked(t, level), "x = 0\nwhile True:\n    x += 1\npass\n")
		if reply.Outcome != dsl.Unknown || !strings.Contains(why, "events or") {
			t.Errorf("%v: %+v, because %q", level, reply, why)
		}
	}
}
