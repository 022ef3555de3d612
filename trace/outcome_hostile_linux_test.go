package trace_test

import (
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeTruncatesMemory checks that a program cannot change the size of the memory
// that it shares with npdb, and that since Python 3.13 it has no descriptor of it.
func TestOutcomeTruncatesMemory(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, `import os
refused = tried = 0
for fd in range(3, 100):
    try:
        if "memfd:npdb" not in os.readlink("/proc/self/fd/%d" % fd):
            continue
    except OSError:
        continue
    for size in 0, 1 << 30:
        tried += 1
        try:
            os.ftruncate(fd, size)
        except PermissionError:
            refused += 1
a = 1
`)
		d.upTo("a = 1")
		d.wantLocal("refused", d.local("tried"))
		if none := d.local("tried") == "0"; none != (python.Minor >= 13) {
			t.Errorf("tried %s times", d.local("tried"))
		}
		d.finish()
	})
}

// TestOutcomeWritesGarbage checks that a program that writes arbitrary data to the memory
// or the pipes can at most end its recording.
func TestOutcomeWritesGarbage(t *testing.T) {
	for name, statement := range map[string]string{
		"records":   "channel.chunks[0][:] = b'\\xff' * len(channel.chunks[0])",
		"zeros":     "channel.chunks[0][:] = bytes(len(channel.chunks[0]))",
		"header":    "channel.header[:] = b'\\xff' * len(channel.header)",
		"far":       "channel.header[8:16] = b'\\xff\\xff\\xff\\x7f\\0\\0\\0\\0'",
		"no line":   "channel.write(b'\\x01\\x00')",
		"messages":  "import os; os.write(channel.events_fd, b'S\\0\\0\\0\\0' * 100 + b'\\xff' * 999)",
		"no length": "import os; os.write(channel.events_fd, b'A\\xff\\xff\\xff\\xff')",
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, "import sys\nchannel = sys.modules['_npdb.channel']\n"+statement+"\nfor i in range(100):\n    pass\n")
				ctx := d.Context()
				watchdog := time.AfterFunc(time.Minute, func() { t.Error("it hangs"); d.rec.Kill() })
				defer watchdog.Stop()
				for _, m := range []dsl.Move{dsl.StepOver, dsl.StepOver, dsl.StepOver, dsl.StepOver, dsl.Continue} {
					landing, err := d.rec.Move(ctx, d.at.Position, dsl.Action{Move: m})
					if err != nil {
						t.Logf("%v", err)
						break
					}
					if d.at = landing; !landing.End {
						d.rec.Tree().State(landing.Event)
					}
				}
				_, _ = d.rec.Ask(ctx, 0, trace.VerbPrint, "1")
				for i := range d.rec.Tree().Len() {
					d.rec.Tree().State(i)
				}
			})
		})
	}
}
