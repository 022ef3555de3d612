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

// process is the Python process that runs programs.
type process struct {
	cmd      *exec.Cmd
	commands io.WriteCloser
	answers  io.Reader
	said     bytes.Buffer // its standard error

	mu   sync.Mutex
	over bool // it was killed, and its end was awaited
}

// kill ends the process and its group, once.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		p.killGroup()
	}
}

// send sends a frame.
func (p *process) send(data []byte) error {
	frame := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(data)), uint32(len(data)))
	_, err := p.commands.Write(append(frame, data...))
	return err
}

// exchange sends a frame and reads the response.
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

// patience is the time that the process gets to end by itself.
const patience = time.Second

// leave lets the process end by itself. It then waits for its children, so that their CPU
// time is counted.
func (p *process) leave() {
	_ = p.commands.Close()
	late := time.AfterFunc(patience, p.kill)
	defer late.Stop()
	_, _ = io.Copy(io.Discard, p.answers)
}

// end ends the process, and returns its standard error.
func (p *process) end() string {
	_ = p.commands.Close()
	p.mu.Lock()
	p.killGroup()
	p.over = true
	p.mu.Unlock()
	_ = p.cmd.Wait() // from here on another process may get its number
	return p.said.String()
}

// limited stores the beginning of what is written to it.
type limited struct {
	buffer *bytes.Buffer
	room   int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.room-l.buffer.Len())
	l.buffer.Write(b[:n])
	return len(b), nil
}
