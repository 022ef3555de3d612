package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/trace"
)

// newRecorderCommand returns the command that the Python package npdb (shim/npdb) runs beside a
// Python process, to write recordings of parts of that process. It is not for users, and speaks
// JSON, one line for each request and reply.
func newRecorderCommand(stop *cli.Stopper) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:    "recorder",
		Short:  "Write recordings for the Python package npdb",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Flags(), config.Path())
			if err != nil {
				return err
			}
			o, err := f.anyProgram(c.Config)
			if err != nil {
				return err
			}
			r := recorder{ctx: stop.Ctx, from: json.NewDecoder(bufio.NewReader(os.Stdin)), to: json.NewEncoder(os.Stdout)}
			return r.run(o)
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&f.userCode, "user-code", nil, "`glob` of files to record")
	fs.StringArrayVar(&f.libraryCode, "library-code", nil, "`glob` of files not to record")
	config.AddFlags(fs, "audit", "reprs", "limits.events", "limits.memory", "limits.slowdown")
	return cmd
}

// recorder answers the requests of a Python process.
type recorder struct {
	ctx  context.Context
	from *json.Decoder
	to   *json.Encoder
}

// introduction is the first request.
type introduction struct {
	Pid    int          `json:"pid"`
	Theirs trace.Theirs `json:"theirs"` // descriptors of the Python process
	Ours   [4]int       `json:"ours"`   // memory, events, commands, credits, as npdb inherited them
	Python string       `json:"python"`
	Dir    string       `json:"dir"`   // the folder that file names are relative to
	Roots  []string     `json:"roots"` // the folders with user code
}

// recorderRequest is a later request: either begin or end.
type recorderRequest struct {
	Begin *struct {
		Module string   `json:"module"` // how to run what is recorded: python -m MODULE ARG…
		Args   []string `json:"args"`
		File   string   `json:"file"` // where the recording is kept if end says so, or the process vanishes
	} `json:"begin"`
	End *struct {
		Keep bool `json:"keep"`
	} `json:"end"`
}

// recorderReply answers a request.
type recorderReply struct {
	Loader  string   `json:"loader,omitempty"` // the Python code that the process has to run
	Events  int      `json:"events,omitempty"`
	Size    int64    `json:"size,omitempty"` // bytes of the file
	Notices []string `json:"notices,omitempty"`
	Error   string   `json:"error,omitempty"`
}

// run answers requests until the process ends.
func (r *recorder) run(o trace.Options) error {
	var hello introduction
	if err := r.from.Decode(&hello); err != nil {
		return errors.New("this command is run by the Python package npdb, see docs/pytest.md: to record a program, use npdb record")
	}
	o.Python, o.Dir = hello.Python, hello.Dir
	if err := r.to.Encode(recorderReply{Loader: trace.Loader(hello.Theirs, o)}); err != nil {
		return err
	}
	var files [4]*os.File
	for i, fd := range hello.Ours {
		files[i] = os.NewFile(uintptr(fd), "npdb")
	}
	attached, err := trace.Attach(r.ctx, hello.Pid, files, hello.Roots, o)
	if err := r.answer(recorderReply{}, err); err != nil {
		return err
	}
	var now *part
	for {
		var request recorderRequest
		err := r.from.Decode(&request)
		switch {
		case err != nil && now != nil: // the process has ended within this part
			return now.end(true).err
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case request.Begin != nil && now == nil:
			b := request.Begin
			now = &part{Recording: attached.Begin(b.Module, b.Args...), file: b.File, done: make(chan error, 1)}
			go func() { now.done <- now.Follow(r.ctx) }()
			err = r.answer(recorderReply{}, nil)
		case request.End != nil && now != nil:
			ended := now.end(request.End.Keep)
			now = nil
			err = r.answer(ended.recorderReply, ended.err)
		default:
			err = fmt.Errorf("a request that is neither begin nor end, or comes too early")
		}
		if err != nil {
			return err
		}
	}
}

// answer sends a reply, with the error of the request. It returns the error of sending.
func (r *recorder) answer(reply recorderReply, err error) error {
	if err != nil {
		reply.Error = err.Error()
	}
	return r.to.Encode(reply)
}

// part is the recording that is under way.
type part struct {
	*trace.Recording
	file string
	done chan error // receives the result of Follow
}

type ended struct {
	recorderReply
	err error
}

// end waits for the end of the part, and keeps its recording or drops it.
func (p *part) end(keep bool) (e ended) {
	err := <-p.done
	e.Events, e.Notices = p.Tree().Len(), p.Notices()
	if !keep {
		e.err = errors.Join(err, p.Close())
		return e
	}
	e.err = errors.Join(err, p.Keep(p.file, cli.Version()))
	if info, err := os.Stat(p.file); err == nil {
		e.Size = info.Size()
	}
	return e
}
