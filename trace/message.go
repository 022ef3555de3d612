package trace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The tags of the tracer's messages.
const (
	msgHello   = 'H' // version, implementation, executable, prefix
	msgFull    = 'F' // a chunk of shared memory is full
	msgBegun   = 'B' // the program starts, and runs until the place where recording begins
	msgStop    = 'S' // reason, innermost activation, the breakpoint that ended the move; number, hits, ignored, error of each one crossed
	msgAnswer  = 'A' // "ok", text, more, changed; or "error", type, message
	msgInput   = 'I' // the program waits for standard input: the number of the wait
	msgRead    = 'J' // the program has received some input
	msgOutput  = 'O' // the program printed
	msgNotice  = 'N' // a message for the user
	msgMet     = 'D' // a breakpoint was hit in another thread: file, line, thread, "call", "last"
	msgCall    = 'C' // the program calls the debugger (breakpoint()): frame, commands
	msgRefused = 'X' // the program cannot be started: kind, message, Python's message
	msgChance  = 'Z' // what the program took from chance: the notes so far, new ones, reasons and files
	msgLast    = 'Y' // the whole state at the end of the program's code
	msgTicks   = 'T' // the ticks of a move that counted them
	msgOver    = 'V' // a recording of an Attachment ends: innermost activation and its line, repr of the exception, or ""
	msgEnd     = 'E' // the program's code has ended: repr of the uncaught exception, or ""; then threads that began while Options.Thread did not
)

// messageCost is the approximate memory of a message without its text.
const messageCost = 64

// errMessage reports a message that is malformed or too large, so that the tracer cannot have
// written it.
var errMessage = errors.New("not the tracer's message")

// message is a message that the tracer sends on the pipe, not as a record in shared
// memory.
type message struct {
	tag    byte
	fields []string
}

// field returns the i-th field, or "" if the message has fewer.
func (m message) field(i int) string {
	if i < len(m.fields) {
		return m.fields[i]
	}
	return ""
}

// cost returns the memory that a queued message occupies, for the limit MessageBytes.
func (m message) cost() int64 {
	n := int64(messageCost)
	for _, f := range m.fields {
		n += 16 + int64(len(f))
	}
	return n
}

// readMessage reads a tag, the total length of the fields in four bytes, and each field
// after its own length. The total must not exceed most.
func readMessage(r io.Reader, most int64) (message, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return message{}, err
	}
	size := binary.LittleEndian.Uint32(head[1:])
	if int64(size) > most {
		return message{}, fmt.Errorf("%w: %q has %d bytes, which is more than the limit", errMessage, head[0], size)
	}
	body, err := io.ReadAll(io.LimitReader(r, int64(size)))
	if err != nil {
		return message{}, err
	}
	if len(body) < int(size) {
		return message{}, io.ErrUnexpectedEOF
	}
	m := message{tag: head[0]}
	for len(body) > 0 {
		if len(body) < 4 {
			return message{}, fmt.Errorf("%w: a field of %q is cut", errMessage, head[0])
		}
		n := binary.LittleEndian.Uint32(body)
		if uint64(n) > uint64(len(body)-4) {
			return message{}, fmt.Errorf("%w: a field of %q is cut", errMessage, head[0])
		}
		m.fields = append(m.fields, string(body[4:4+n]))
		body = body[4+n:]
	}
	return m, nil
}

// packMessage encodes fields for the tracer: the total length in four bytes, then each
// field after its own length.
func packMessage(fields ...string) []byte {
	size := 0
	for _, f := range fields {
		size += 4 + len(f)
	}
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+size), uint32(size))
	for _, f := range fields {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(f)))
		b = append(b, f...)
	}
	return b
}

// packData returns data preceded by its length in four bytes.
func packData(data []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(data)), uint32(len(data))), data...)
}
