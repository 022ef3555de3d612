package recorded

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// orphanMaker, set to a Python, makes this test binary start a worker that is
// busy, print its process id and wait to be killed.
const orphanMaker = "NPDB_TEST_ORPHAN"

// A worker that is busy, and so does not see its standard input close, ends
// with npdb, however npdb ends.
func TestWorkerEndsWithItsParent(t *testing.T) {
	if python := os.Getenv(orphanMaker); python != "" {
		leaveBusyWorker(t, python)
		return
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestWorkerEndsWithItsParent$")
	parent.Env = append(os.Environ(), orphanMaker+"="+anyPython(t).Path)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	worker, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(worker)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := parent.Wait(); err == nil {
		t.Error("the parent ended by itself")
	}
	// A pidfd is readable once its process has ended (pidfd_open(2)).
	ended := []unix.PollFd{{Fd: int32(worker), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(ended, -1)
		if err == unix.EINTR {
			continue
		}
		if n != 1 || err != nil {
			t.Errorf("poll: %d, %v", n, err)
		}
		return
	}
}

func leaveBusyWorker(t *testing.T, python string) {
	w, err := startWorker(t.Context(), python)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString(strconv.Itoa(w.process.Pid) + "\n")
	reply, err := w.exchange(t.Context(), []string{"eval", "600", "sum(range(10**15))"})
	t.Fatalf("the worker answered %q, %v", reply, err)
}
