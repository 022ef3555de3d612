//go:build unix

package trace

import (
	"context"
	"fmt"
	"os"
)

// Attach connects npdb to a Python process that runs Loader. The files are npdb's ends: the
// shared memory, events, commands and credits. Attach takes them over. roots are the folders with
// user code. Of the options it uses those that do not say what to run.
func Attach(ctx context.Context, pid int, files [4]*os.File, roots []string, o Options) (*Attachment, error) {
	o.Limits = o.Limits.orDefault()
	if o.Reprs == "" {
		o.Reprs = ReprsAsked
	}
	memory, err := mapShared(files[0], chunkCount, chunkSize(o))
	if err != nil {
		return nil, fmt.Errorf("no memory to share with the program: %w", err)
	}
	p := &process{memory: memory, events: files[1], commands: files[2], credits: files[3], attached: true}
	if p.tracer, err = os.FindProcess(pid); err != nil {
		return nil, err
	}
	a := &Attachment{opts: o, proc: p}
	if err := a.introduce(ctx, roots); err != nil {
		return nil, fmt.Errorf("the tracer did not start: %w", err)
	}
	return a, nil
}

// part returns the process for the next recording.
func (p *process) part() *process {
	return &process{
		memory: p.memory, events: p.events, commands: p.commands, credits: p.credits, tracer: p.tracer,
		attached: true, child: p.child, exited: make(chan struct{}),
	}
}
