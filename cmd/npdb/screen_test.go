//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/npdb/npdb/internal/pythons"
)

// BenchmarkFirstFrame measures the time from the start of the process to the first frame
// with the program's text, for 10,000 lines, 200 columns and 60 rows.
func BenchmarkFirstFrame(b *testing.B) {
	python := pythons.Any(b)
	dir := b.TempDir()
	var source strings.Builder
	for n := range 10_000 {
		fmt.Fprintf(&source, "value_%d = len('a text %d') + %d  # a comment\n", n, n, n)
	}
	program := filepath.Join(dir, "big.py")
	if err := os.WriteFile(program, []byte(source.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	npdb := filepath.Join(dir, "npdb")
	if out, err := exec.Command("go", "build", "-o", npdb, ".").CombinedOutput(); err != nil {
		b.Skipf("skipped: npdb cannot be built: %v: %s", err, out)
	}
	var cpu time.Duration // npdb's CPU time until then, which matters on a busy machine
	for b.Loop() {
		cmd := exec.Command(npdb, "--python", python, program)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "TERM=xterm-256color")
		screen, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 60, Cols: 200})
		if err != nil {
			b.Fatal(err)
		}
		shown := &transcript{in: bufio.NewReader(screen)}
		shown.until(b, "value_30")
		b.StopTimer()
		if err := cmd.Process.Kill(); err != nil {
			b.Fatal(err)
		}
		_ = cmd.Wait() // fails, because npdb was killed
		_ = screen.Close()
		cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		b.StartTimer()
	}
	b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "cpu-ms/op")
}
