package trace

import (
	"context"
	"os"
	"time"
)

// process is a Python process that runs the tracer. Windows is not supported, because a
// child process cannot inherit the descriptors that it writes events to.
type process struct {
	memory                    *sharedMemory
	events, commands, credits *os.File
	stdin                     *os.File
	streams                   [3]*drain
	exited                    chan struct{}
	outcome                   int
	visit                     visit
}

type sharedMemory struct{ chunk int }

func (m *sharedMemory) copyOf(into []byte, _, _, _ int) []byte { return into }

func (m *sharedMemory) begun(int) bool    { return false }
func (m *sharedMemory) wipe(int, int)     {}
func (m *sharedMemory) setFlag(int, byte) {}
func (m *sharedMemory) flag(int) byte     { return 0 }
func (m *sharedMemory) written(int) int   { return 0 }
func (m *sharedMemory) lost() error       { return nil }
func (m *sharedMemory) close() error      { return nil }

type drain struct{}

func (d *drain) take() []byte              { return nil }
func (d *drain) takeThrough([]byte) []byte { return nil }

const (
	chunkCount   = 1
	tracerSignal = 0
	hdrPause     = 0
	hdrNews      = 0
	hdrLost      = 0
)

func spawn(python string, _ Options, _ *os.File) (*process, error) {
	return nil, &StartError{Kind: StartFailed, Message: "cannot run " + python + ": real mode needs Linux or macOS"}
}

func noProcess() *process { return &process{memory: &sharedMemory{}} }

// Attach refuses, like spawn.
func Attach(context.Context, int, [4]*os.File, []string, Options) (*Attachment, error) {
	return nil, &StartError{Kind: StartFailed, Message: "recording tests needs Linux or macOS"}
}

func (p *process) part() *process    { return p }
func (p *process) forget() error     { return nil }
func (p *process) send(os.Signal)    {}
func (p *process) kill()             {}
func (p *process) abandon()          {}
func (p *process) free()             {}
func (p *process) forgetInterrupt()  {}
func (p *process) interrupt()        {}
func (p *process) code(bool) int     { return 0 }
func (p *process) pid() int          { return 0 }
func (p *process) settle()           {}
func (p *process) lastWords()        {}
func (p *process) waits(string) bool { return false }

func (p *process) still() bool  { return false }
func (p *process) unseen() bool { return false }

func (p *process) input(string, bool) error                                               { return os.ErrClosed }
func (p *process) resize(Terminal)                                                        {}
func (p *process) watch(context.Context, time.Duration, <-chan struct{}, chan<- struct{}) {}

func (p *process) leave() {}
