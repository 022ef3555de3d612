package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/source"
)

// bigSource returns a program of 10,000 lines that has a dictionary of 10,000 entries
// among its names from its second line on.
func bigSource() string {
	var b strings.Builder
	b.WriteString("table = {f'key {n}': [n, {'half': n / 2}] for n in range(10_000)}\n")
	b.WriteString("def double(x):\n    y = x + x\n    return y\n")
	b.WriteString("for i in range(1_000_000):\n    a = double(i)\n    b = double(a)\n")
	for n := 8; n <= 10_000; n++ {
		fmt.Fprintf(&b, "def f%d(x, y=%d): return x + y * 2 - len('a text %d')  # a comment\n", n, n, n)
	}
	return b.String()
}

// bigRun returns a run of the beginning of bigSource.
func bigRun() *run {
	r := newRun("/src/big.py", bigSource())
	r.module(10_000, "table", "i", "a", "b")
	double := r.function("double", 2, 4, 1, "x", "y")
	var table strings.Builder
	for n := range 10_000 {
		fmt.Fprintf(&table, ", 'key %d': [%d, {'half': %.1f}]", n, n, float64(n)/2)
	}
	r.line(1)
	r.set(0, "{"+table.String()[2:]+"}")
	r.line(2)
	call := func(x int) {
		r.tree.Enter(double)
		r.set(0, fmt.Sprint(x))
		r.tree.Event(dsl.Call, 2, 0, nil)
		r.line(3)
		r.set(1, fmt.Sprint(x+x))
		r.line(4)
		r.tree.Event(dsl.Return, 4, dsl.Returned, []byte(fmt.Sprint(x+x)))
	}
	for i := range 2000 {
		r.line(5)
		r.set(1, fmt.Sprint(i))
		r.line(6)
		call(i)
		r.set(2, fmt.Sprint(i+i))
		r.line(7)
		call(i + i)
		r.set(3, fmt.Sprint(4*i))
	}
	r.tree.Finish()
	return r
}

// BenchmarkKeyToFrame measures the time from a key to the finished frame at 200 columns
// and 60 rows. The program has 10,000 lines and a dictionary of 10,000 entries among its
// names, and its run is recorded.
func BenchmarkKeyToFrame(b *testing.B) {
	for _, bench := range []struct {
		name  string
		ready []string // keys that are pressed before the measurement
		keys  []string
	}{
		{"step", nil, []string{"s"}},
		{"next", nil, []string{"n"}},
		{"back and forth", nil, []string{"S", "s", "N", "n", "z", "Z"}},
		{"step with the dictionary open", []string{"2", "g", "enter"}, []string{"s"}},
		{"down the open dictionary", []string{"2", "g", "enter", "pgdown"}, []string{"j", "k", "j", "pgdown"}},
		{"step with the dictionary wrapped", []string{"2", "w"}, []string{"s"}},
		{"down the source", []string{"1"}, []string{"j", "ctrl+f", "G", "g"}},
		{"search", []string{"1", "/"}, []string{"7", "8", "backspace", "backspace"}},
		{"frames", []string{"1", "s", "s"}, []string{"u", "d"}},
		{"help", []string{"?"}, []string{"pgdown", "pgup", "b", "backspace"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			d := drive(b, 200, 60, replayed(b, bigRun()))
			d.command("b 6")
			d.press("c", "s", "s")
			d.press(bench.ready...)
			d.m.View()
			d.timeKeys(b, bench.keys)
		})
	}
}

// BenchmarkStepUnderCPython measures the same under CPython. The time includes Python's:
// it runs the program on and writes the whole dictionary.
func BenchmarkStepUnderCPython(b *testing.B) {
	path := filepath.Join(b.TempDir(), "big.py")
	if err := os.WriteFile(path, []byte(bigSource()), 0o600); err != nil {
		b.Fatal(err)
	}
	d := drive(b, 200, 60, cpythonOf(b, path))
	d.command("b 6")
	d.press("c", "s", "s")
	d.timeKeys(b, []string{"s"})
}

// timeKeys presses keys, and reports how long each took until a whole frame answered it.
func (d *driver) timeKeys(b *testing.B, keys []string) {
	b.Helper()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		k := key(keys[i%len(keys)])
		begin := time.Now()
		d.tell(k)
		d.settle()
		d.m.View()
		took = append(took, time.Since(begin))
	}
	reportKeys(b, took)
}

func reportKeys(b *testing.B, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkFirstFrame measures the time from the start of the model to its first frame,
// which shows the program's text. The program starts at the same time.
func BenchmarkFirstFrame(b *testing.B) {
	path := filepath.Join(b.TempDir(), "big.py")
	if err := os.WriteFile(path, []byte(bigSource()), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		d := start(b, 200, 60, session.Config{Options: trace.Options{Script: path}})
		d.cmds = nil // this test does not start the program
		d.plan(source.Read(d.m.script()))
		d.settle()
		d.shows("table = ")
	}
}
