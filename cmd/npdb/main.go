// Command npdb is a debugger for Python that feels like pdb and steps forwards and backwards.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

func main() { os.Exit(run()) }

// run runs npdb with the arguments of this process and returns the exit code.
func run() int {
	// Some libraries log by themselves, for example net/http's client. They would write
	// text from a server across the screen.
	log.SetOutput(io.Discard)
	stop := cli.NewStopper()
	defer stop.Close()
	cmd := newCommand(stop)
	ran := cmd
	args, err := splitArgs(cmd, os.Args[1:])
	if err == nil {
		cmd.SetArgs(args)
		ran, err = cmd.ExecuteContextC(stop.Ctx)
	}
	if code := stop.ExitCode(); code != 0 {
		return code
	}
	if err == nil || errors.Is(err, context.Canceled) {
		return 0
	}
	var code exitCode
	if errors.As(err, &code) {
		return code.status()
	}
	if !errors.Is(err, syscall.EPIPE) { // otherwise nobody reads the output any more
		complain(err)
		if ran == cmd && !stop.HasSession() && wantsJSON(cmd, os.Args[1:]) {
			answerJSON(err)
		}
	}
	return 1
}

// wantsJSON reports whether --json was given, even if another flag could not be parsed.
func wantsJSON(cmd *cobra.Command, args []string) bool {
	if cmd.Flags().Changed("json") {
		return cmd.Flags().Lookup("json").Value.String() == "true"
	}
	for _, arg := range args {
		switch {
		case arg == "--json":
			return true
		case arg == "--" || !strings.HasPrefix(arg, "-"):
			return false // the program, whose arguments follow, or the value of a flag
		}
	}
	return false
}

// answerJSON prints the error of a failed start as a line of JSON.
func answerJSON(err error) {
	message := err.Error()
	var start *trace.StartError
	if errors.As(err, &start) {
		message = strings.TrimSpace(start.Traceback + "\n" + message)
	}
	a := &session.Answer{Origin: dsl.Given, Err: session.Errorf(session.StartFailure, "%s", message)}
	_ = frontend.NewJSON(os.Stdout).Show(a) // a closed stdout needs no error message
}

// complain writes an error for the user. Python's own message comes first.
func complain(err error) {
	var start *trace.StartError
	if errors.As(err, &start) && start.Traceback != "" {
		fmt.Fprintln(os.Stderr, cli.EscapeLines(start.Traceback))
	}
	fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(err.Error()))
}
