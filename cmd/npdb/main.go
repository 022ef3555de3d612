// Command npdb is a debugger for Python that feels like pdb and walks forwards
// and backwards.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"syscall"

	"github.com/npdb/npdb/trace"
)

func main() { os.Exit(run()) }

// run is npdb with the arguments of this process; it returns the exit code.
func run() int {
	// Libraries that log by themselves, as net/http's client does, would write across
	// the screen what a server sent.
	log.SetOutput(io.Discard)
	stop := newStopper()
	defer stop.close()
	cmd := newCommand(stop)
	args, err := splitProgram(cmd.Flags(), os.Args[1:])
	if err == nil {
		cmd.SetArgs(args)
		err = cmd.ExecuteContext(stop.ctx)
	}
	if code := stop.exitCode(); code != 0 {
		return code
	}
	if err == nil || errors.Is(err, context.Canceled) {
		return 0
	}
	if !errors.Is(err, syscall.EPIPE) { // then nobody listens any more
		complain(err)
	}
	return 1
}

// complain writes an error for a person; what Python said comes first.
func complain(err error) {
	var start *trace.StartError
	if errors.As(err, &start) && start.Traceback != "" {
		fmt.Fprintln(os.Stderr, escapeLines(start.Traceback))
	}
	fmt.Fprintln(os.Stderr, "npdb: "+escapeLines(err.Error()))
}
