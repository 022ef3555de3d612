package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
)

// family starts one child that stops at the breakpoint and one that runs on, in a process session of
// its own. Each writes its process id to a pipe, which ends when the last child has ended.
const family = `import os, subprocess, sys, time
def stops():
    here = 1
def child():
    os.write(1, b'%d\n' % os.getpid())
    if sys.argv[2] == 'stops':
        stops()
    while True:
        time.sleep(0.01)
if sys.argv[1:2] == ['child']:
    child()
else:
    out = os.open(sys.argv[1], os.O_WRONLY)
    for how in ('runs', 'stops'):
        subprocess.Popen([sys.executable, __file__, 'child', how], stdout=out, start_new_session=how == 'runs')
    os.close(out)
    while True:
        time.sleep(0.01)
`

// TestNoChildIsLeft checks that child processes end with the session, and with npdb if it is killed: those
// that are stopped and those that run, also in a process session of their own.
func TestNoChildIsLeft(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"quit", "kill"} {
		t.Run(end, func(t *testing.T) {
			dir := t.TempDir()
			npdb, program, fifo := filepath.Join(dir, "npdb"), filepath.Join(dir, "prog.py"), filepath.Join(dir, "pids")
			if err := errors.Join(os.Symlink(self, npdb), os.WriteFile(program, []byte(family), 0o600), syscall.Mkfifo(fifo, 0o600)); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(npdb, "--plain", "--no-rc", "--children", "--python", pythons.Any(t), program, fifo)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "TMPDIR="+dir, "GORACE=atexit_sleep_ms=0")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Process.Kill() }()
			if _, err := in.Write([]byte("b stops\nc\n")); err != nil {
				t.Fatal(err)
			}
			pids, err := os.Open(fifo)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = pids.Close() }()
			lines, began := bufio.NewScanner(pids), 0
			for began < 2 && lines.Scan() {
				began++
			}
			said := bufio.NewScanner(out)
			for said.Scan() && !strings.Contains(said.Text(), "by breakpoint 1 and waits") {
				continue
			}
			if end == "kill" {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			} else if _, err := in.Write([]byte("q\n")); err != nil {
				t.Fatal(err)
			}
			rest := ""
			for said.Scan() {
				rest += said.Text() + "\n"
			}
			if end == "quit" && !strings.Contains(rest, "2 child processes that had not ended were ended with the session.") {
				t.Errorf("at the end: %q", rest)
			}
			_ = cmd.Wait() // a killed process has no status of interest
			if err := pids.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() {
				began++
			}
			if err := lines.Err(); err != nil {
				t.Errorf("a child is left: %v", err)
			}
			if began != 2 {
				t.Errorf("%d children began, not 2", began)
			}
		})
	}
}
