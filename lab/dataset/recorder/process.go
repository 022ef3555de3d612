package recorder

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// process is the Python process that records programs.
type process struct {
	cmd      *exec.Cmd
	commands io.WriteCloser
	answers  io.Reader
	said     bytes.Buffer // the standard error of the process

	mu   sync.Mutex
	over bool // the process was killed and waited for
}

// kill kills the process and its group, unless it has already ended.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		p.killGroup()
	}
}

// send sends data to the process, after its length in four bytes.
func (p *process) send(data []byte) error {
	frame := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(data)), uint32(len(data)))
	_, err := p.commands.Write(append(frame, data...))
	return err
}

// exchange sends a job as JSON and reads the answer: one letter for its kind, and at most `most` bytes
// of data.
func (p *process) exchange(job any, most int) (kind byte, said []byte, err error) {
	text, err := json.Marshal(job)
	if err != nil {
		return 0, nil, err
	}
	if err := p.send(text); err != nil {
		return 0, nil, err
	}
	var head [5]byte
	if _, err := io.ReadFull(p.answers, head[:]); err != nil {
		return 0, nil, err
	}
	size := int64(binary.LittleEndian.Uint32(head[:])) - 1
	if size < 0 || size > int64(most) {
		return 0, nil, fmt.Errorf("it says %d bytes", size)
	}
	said = make([]byte, size)
	_, err = io.ReadFull(p.answers, said)
	return head[4], said, err
}

// patience is the time in which the process has to exit by itself.
const patience = time.Second

// leave asks the process to exit, and waits until it does. The process first waits for its own children,
// so that their CPU time is counted.
func (p *process) leave() {
	_ = p.commands.Close()
	late := time.AfterFunc(patience, p.kill)
	defer late.Stop()
	_, _ = io.Copy(io.Discard, p.answers)
}

// end kills the process, waits for its end, and returns its standard error.
func (p *process) end() string {
	_ = p.commands.Close()
	p.mu.Lock()
	p.killGroup()
	p.over = true
	p.mu.Unlock()
	_ = p.cmd.Wait() // from now on another process may have its number
	return p.said.String()
}

// limited is a writer that stores the first bytes that are written to it, and discards the rest.
type limited struct {
	buffer *bytes.Buffer
	room   int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.room-l.buffer.Len())
	l.buffer.Write(b[:n])
	return len(b), nil
}
