package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
)

const dumpAbout = `npdb dump makes a running npdb record --keep write the events that it has kept to a new
file beside the recording: prog-1.npdb, prog-2.npdb, … for prog.npdb. The program goes on.

PID is the process id of npdb record or of the program that it records. ps and
pgrep -f PROGRAM show both. The signal SIGUSR1 to npdb (not to the program) does the same:
kill -USR1 PID.`

func newDumpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dump PID",
		Short: "Make a running npdb record --keep write its file",
		Long:  dumpAbout,
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if runtime.GOOS == "windows" {
				return errors.New("dump needs Linux or macOS: npdb runs no program on Windows, so nothing is recorded here")
			}
			pid, err := strconv.Atoi(args[0])
			if err != nil || pid < 1 {
				return fmt.Errorf("%q is no process id: give that of npdb record --keep or of its program, as pgrep shows it", args[0])
			}
			return dump(pid)
		},
	}
}

// dump asks an npdb to write a file. pid is the process id of npdb or of the program that it records.
func dump(pid int) error {
	found, err := dumpSockets()
	if err != nil {
		return err
	}
	var others []string
	for _, s := range found {
		if s.npdb != pid && s.program != pid {
			others = append(others, strconv.Itoa(s.npdb))
			continue
		}
		done, err := s.ask()
		switch {
		case err != nil:
			return fmt.Errorf("npdb with process id %d does not answer: %w", s.npdb, err)
		case done.Error != "":
			return errors.New(done.Error)
		}
		fmt.Printf("%s in %s\n", cli.Count(done.Events, "event"), cli.EscapeLines(done.File))
		return nil
	}
	running := ""
	if len(others) > 0 {
		running = "; those that run have " + strings.Join(others, ", ")
	}
	return fmt.Errorf("no npdb record --keep of this user has the process id %d, nor has a program that it records%s", pid, running)
}

// dumpSocket is the socket on which a running npdb accepts requests to dump.
type dumpSocket struct {
	path          string
	npdb, program int // process ids
}

// dumpSockets returns the sockets of this user's running npdbs that record with --keep.
func dumpSockets() ([]dumpSocket, error) {
	var found []dumpSocket
	err := eachSocket(func(path, name string) (pid int) {
		s := dumpSocket{path: path}
		if _, err := fmt.Sscanf(name, "%d-%d.sock", &s.npdb, &s.program); err != nil {
			return 0
		}
		if to, err := net.Dial("unix", path); err == nil {
			_ = to.Close() // the other end closes it too
			found = append(found, s)
		}
		return s.npdb
	})
	return found, err
}

// ask sends the request to dump and returns the answer.
func (s *dumpSocket) ask() (done dumped, err error) {
	to, err := net.Dial("unix", s.path)
	if err != nil {
		return done, err
	}
	defer func() { _ = to.Close() }()
	if _, err := to.Write([]byte("dump\n")); err != nil {
		return done, err
	}
	err = json.NewDecoder(to).Decode(&done)
	return done, err
}

// serve accepts requests to dump until stop is called: on a socket, and on Unix also by a signal.
func (d *dumper) serve() (stop func(), err error) {
	dir, err := socketFolder(true)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, fmt.Sprintf("%d-%d.sock", os.Getpid(), d.rec.Pid()))
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	at, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			from, err := at.Accept()
			if err != nil {
				return
			}
			go d.answer(from)
		}
	}()
	unheard := d.hear()
	return func() {
		_ = at.Close() // it also removes the socket
		unheard()
	}, nil
}

// answer answers one request.
func (d *dumper) answer(from net.Conn) {
	defer func() { _ = from.Close() }()
	const mostWait = 5 * time.Second
	_ = from.SetReadDeadline(time.Now().Add(mostWait))
	asked := make([]byte, len("dump\n"))
	if n, err := from.Read(asked); err != nil || string(asked[:n]) != "dump\n" {
		return // dumpSockets only checked whether this npdb runs
	}
	_ = json.NewEncoder(from).Encode(d.dump()) // npdb dump may have exited
}
