package trace

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
)

// Visited describes a process that npdb did not start, and that Enter has connected.
type Visited struct {
	Pid    int
	Python string // its executable
	Dir    string // its working directory
	Main   string // the path of its program; "" if that is not a file
}

// visit is the state of a session in a process that npdb did not start. Any goroutine may use it.
type visit struct {
	leaving atomic.Pointer[Leaving] // what becomes of the program; nil if the process is not visited
	asked   atomic.Bool             // the running program was asked to end the session
	parted  atomic.Bool             // npdb has closed the files of the session
}

// SendText sends a text to the code that enters a process, with its length before it.
func SendText(conn io.Writer, text string) error {
	_, err := conn.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...))
	return err
}

// Leaving says what becomes of a visited program when npdb leaves it.
type Leaving string

const (
	// Detach lets the program run on as if npdb had never been there.
	Detach Leaving = "detach"
	// EndProgram raises SystemExit in the program where it stands.
	EndProgram Leaving = "quit"
)

// Visit returns the recording of a session in the process, whose tracer begins one at the same time. The
// landing is the state at which the program stops first. leaving says what Close does if the program has
// not ended.
func (a *Attachment) Visit(ctx context.Context, leaving Leaving) (*Recording, Landing, error) {
	r := a.begin()
	r.leaving = leaving
	r.proc.visit.leaving.Store(&leaving)
	go r.readPart(a)
	landing, err := r.Resume(ctx)
	if err != nil {
		return nil, Landing{}, errors.Join(err, r.Close())
	}
	landing.Horizon = 0
	return r, landing, nil
}

// SetLeaving changes what Close does with a program that npdb has not started. The error is
// ErrOwnProgram if npdb started it.
func (r *Recording) SetLeaving(l Leaving) error {
	if r.leaving == "" {
		return ErrOwnProgram
	}
	r.moving.Lock()
	defer r.moving.Unlock()
	r.leaving = l
	r.proc.visit.leaving.Store(&l)
	return nil
}

// ErrOwnProgram reports that npdb itself started the program, so that it cannot leave it.
var ErrOwnProgram = errors.New("npdb started this program itself, and the program ends with npdb")

// leave ends the session in a visited program. If the program does not wait for npdb, it learns at its
// next event that npdb has left.
func (r *Recording) leave(waits bool) error {
	if r.leaving == "" || r.proc.visit.asked.Load() {
		return nil
	}
	if waits && !r.pending {
		if err := r.tell(string(r.leaving)); err != nil {
			return fmt.Errorf("the program did not hear that npdb leaves: %w", err)
		}
		return nil
	}
	r.proc.kill()
	return nil
}

// Close frees what npdb shares with the process, after the last recording was closed.
func (a *Attachment) Close() error {
	a.proc.leave()
	return a.proc.memory.close()
}
