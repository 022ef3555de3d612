// Command findbug is an agent that finds a wrong line with `npdb mcp`: from the failure backwards, without
// a model. It does what examples/agents/find_bug.py does, with the Go SDK of the Model Context Protocol.
//
//	go run ./examples/agents/findbug examples/bank.py
//	go run ./examples/agents/findbug -m unittest test_shop
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	command := flag.String("npdb", "npdb", "the npdb `command`")
	module := flag.Bool("m", false, "PROGRAM is a module, such as unittest")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: findbug [-npdb COMMAND] [-m] PROGRAM [ARG…]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	p := program{File: flag.Arg(0), Args: flag.Args()[1:]}
	if *module {
		p.Module, p.File = p.File, ""
	}
	if err := run(context.Background(), *command, p, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "npdb:", err)
		os.Exit(1)
	}
}

// program is what diagnose runs.
type program struct {
	File   string   `json:"file,omitempty"`
	Module string   `json:"module,omitempty"`
	Args   []string `json:"args,omitempty"`
}

// run starts npdb mcp, finds the wrong line of a program, and ends npdb.
func run(ctx context.Context, command string, p program, out io.Writer) (err error) {
	child := exec.Command(command, "mcp")
	child.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "npdb-example", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: child}, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	a := agent{ctx: ctx, session: session, out: out}
	return a.find(p)
}

// agent calls npdb's tools and prints what it does.
type agent struct {
	ctx     context.Context
	session *mcp.ClientSession
	out     io.Writer
	calls   int
}

// call calls a tool, prints the call as words, and decodes the answer into out.
func (a *agent) call(tool, words string, arguments, out any) error {
	a.calls++
	a.print("%d. %s %s", a.calls, tool, words)
	result, err := a.session.CallTool(a.ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err
	}
	if result.IsError {
		var said strings.Builder
		for _, part := range result.Content {
			if text, ok := part.(*mcp.TextContent); ok {
				said.WriteString(text.Text)
			}
		}
		return errors.New(said.String())
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

func (a *agent) print(format string, arguments ...any) { fmt.Fprintf(a.out, format+"\n", arguments...) }

// moving is the arguments of move.
type moving struct {
	Action    string `json:"action"`
	Location  string `json:"location,omitempty"`
	Condition string `json:"condition,omitempty"`
	Event     int    `json:"event,omitempty"`
}

func (a *agent) move(m moving) (s stop, err error) {
	words := "action=" + m.Action
	for _, one := range [][2]string{{"location", m.Location}, {"condition", m.Condition}} {
		if one[1] != "" {
			words += " " + one[0] + "=" + one[1]
		}
	}
	if m.Action == "goto" {
		words += fmt.Sprintf(" event=%d", m.Event)
	}
	err = a.call("move", words, m, &s)
	return s, err
}
