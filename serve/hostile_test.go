//go:build linux

package serve

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
)

// TestForged runs programs that write to the tracer's channels, or kill the tracer. It checks that
// such a program has one answer, or none with a reason, and that the server continues.
func TestForged(t *testing.T) {
	const channel = "import os, sys\nchannel = sys.modules['_npdb.channel']\nstop = lambda: channel.send(b'S', 'landed', '0')\n"
	const after = "\nx = 1\npass\n"
	levels := heldAt(t, "writes to npdb in the tracer's place")
	for i, c := range []struct {
		name, program string
		why           string // a word in the reason; "" if there may be an answer
	}{
		{"messages without end", "while True:\n    channel.send(b'N', 'x' * 100000)", "more than the limit"},
		{"small ones without end", "while True:\n    os.write(channel.events_fd, b'N\\0\\0\\0\\0' * 1000)", "more than the limit"},
		{"one that claims to be large", "os.write(channel.events_fd, b'N\\xff\\xff\\xff\\xff' + b'x' * 60000)\nwhile True: os.write(channel.events_fd, b'x' * 60000)", "more than the limit"},
		{"one that is cut", "os.write(channel.events_fd, b'N\\x04\\0\\0\\0' + b'\\xff' * 4)\nwhile True: pass", "is cut"},
		{"a refusal", "channel.send(b'X', 'no_python', 'there is no Python')\nwhile True: pass", "refuses"},
		{"a stop that is none", "channel.send(b'S', 'landed', '0')\nchannel.send(b'S', 'post_mortem', '4294967295 -1')\nchannel.send(b'S')", ""},
		{"an answer that nobody asked for", "channel.send(b'A', 'error')\nchannel.send(b'A')\nchannel.send(b'Z', 'x')", ""},
		{"an end that is none", "channel.send(b'E', 'ValueError()')", ""},
		{"records that are none", "channel.put(b'\\x7f' * 100)\nstop()\nwhile True: pass", "unknown kind"},
		{"a line that is none", "channel.put(b'\\x01\\x00')\nstop()", ""},
		{"a file that is none", "channel.definition(b'\\x0c', '/etc/passwd', 'x')\nchannel.definition(b'\\x0d', str(10**9), 'f', 'f', '1', '2', '10', '0')\nstop()\nwhile True: pass", "broken off"},
		{"activations of a giant", "channel.definition(b'\\x0d', '0', 'f', 'f', '1', '2', '10', '0', *map(str, range(5000)))\nfor i in range(10**6): channel.put(b'\\x08\\x01')\nwhile True: pass", "slots"},
		{"a recording that does not pause", "channel.header = bytearray(65536)\nwhile True:\n    y = os.urandom(100000).hex()", "does not pause"},
		{"its own death", "os.kill(os.getpid(), 9)", "was killed"},
		{"the tracer's death", "os.close(channel.events_fd)\nos.kill(os.getpid(), 9)", ""},
		{"a closed channel", "os.close(channel.events_fd)\nos.close(channel.commands_fd)\nos.close(channel.credits_fd)\nx = 1", "closed the descriptors"},
		{"all descriptors closed, as a daemon does", "os.closerange(3, 1 << 15)", "closed the descriptors"},
		{"somebody left behind who holds the channel", "import ctypes\nif ctypes.CDLL(None).fork() == 0:\n    os.setsid()\n    ctypes.CDLL(None).sleep(20)\nos._exit(0)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for at, level := range levels {
				if at > 0 && at < len(levels)-1 && !longtest.In(t, i, 20) {
					continue // the levels between the strongest and the weakest behave the same
				}
				t.Run(level.String(), func(t *testing.T) {
					server := attacked(t, level)
					reply, why := oracled(t, server, channel+c.program+after)
					if c.why != "" && (reply.Outcome != dsl.Unknown || !strings.Contains(why, c.why)) {
						t.Errorf("the answer is %+v, because %q; want none, with a word of %q", reply, why, c.why)
					}
					if reply, why := oracled(t, server, "x = 1\npass\n"); said(reply, "x") != "1" {
						t.Errorf("then an honest program got %+v, because %q", reply, why)
					}
				})
			}
		})
	}
	// One request may use 32 MiB for states (contained) and 16 MiB for messages (cpython), and the
	// same again before the garbage collector runs. As many requests run at once as there are
	// parallel tests. The memory of the test binary itself is added.
	const held, beside = 48 << 20, 384 << 20
	atOnce := runtime.GOMAXPROCS(0)
	if _, err := fmt.Sscan(flag.Lookup("test.parallel").Value.String(), &atOnce); err != nil {
		t.Fatal(err)
	}
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	t.Cleanup(func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if took, most := m.Sys-before.Sys, uint64(atOnce*2*held+beside); took > most {
			t.Errorf("the server took %d MiB, want at most %d", took>>20, most>>20)
		}
	})
}
