//go:build unix

package dataset

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// victim is the environment variable that makes the test binary create a dataset. Its value is the
// Config as JSON.
const victim = "NPDB_DATASET_VICTIM"

func TestMain(m *testing.M) {
	if text := os.Getenv(victim); text != "" {
		os.Exit(beVictim(text))
	}
	os.Exit(m.Run())
}

// beVictim creates a dataset. Before each program it writes a line and waits for a byte of input, so
// that the test controls its progress.
func beVictim(text string) int {
	var c struct {
		Dir      string
		Settings Settings
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		fmt.Println(err)
		return 2
	}
	r := fakeRun(Config{Dir: c.Dir, Settings: c.Settings, Parallel: 3, Progress: func(p Progress) {
		fmt.Println(p.Programs)
		_, _ = os.Stdin.Read(make([]byte, 1))
	}})
	if _, err := r.run(context.Background()); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// TestKilled checks that a run that is killed ten times, at random points, creates the same files as an
// undisturbed run.
func TestKilled(t *testing.T) {
	s := fakeSettings(400, 9)
	undisturbed := t.TempDir()
	makeFake(t, Config{Dir: undisturbed, Settings: s, Parallel: 2})
	dir, rng := t.TempDir(), random(t)
	text, err := json.Marshal(map[string]any{"Dir": dir, "Settings": s})
	if err != nil {
		t.Fatal(err)
	}
	for try := range 11 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), victim+"="+string(text))
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if try == 10 { // the last run is not killed
			in.Close()
			_, _ = io.Copy(io.Discard, out)
			if err := cmd.Wait(); err != nil {
				t.Fatal(err)
			}
			break
		}
		programs := 1 + rng.IntN(20)
		said := bufio.NewScanner(out)
		if _, err := in.Write(make([]byte, programs+rng.IntN(10))); err != nil {
			t.Fatal(err)
		}
		for range programs {
			said.Scan()
		}
		if err := cmd.Process.Kill(); err != nil { // at some point during the next programs
			t.Fatal(err)
		}
		err = cmd.Wait()
		if status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() {
			t.Fatalf("it ended by itself: %v", err)
		}
	}
	same(t, "after all", contents(t, dir), contents(t, undisturbed))
}
