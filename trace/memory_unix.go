//go:build unix

package trace

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sharedHeader is channel.HEADER: the bytes before the first chunk.
const sharedHeader = 65536

// Bytes of the header, as in tracer/channel.py.
const (
	hdrInRepr    = 0
	hdrInterrupt = 1
	hdrOff       = 2
	hdrSerial    = 3
	hdrStopRepr  = 4
	hdrPause     = 5
	hdrWaiting   = 6
	hdrNews      = 7
	hdrWritten   = 8 // eight bytes
	hdrReading   = 16
)

// sharedMemory is what the tracer writes events into and npdb reads them from:
// a header, then chunks that are filled and drained in turn.
type sharedMemory struct {
	file  *os.File
	data  []byte
	chunk int // bytes of one
	count int

	// closing is held to close it, and by an interrupt, which may come from any
	// goroutine. Everybody else is known to be done before it is closed.
	closing sync.Mutex
}

func newSharedMemory(count, chunk int) (*sharedMemory, error) {
	file, err := memoryFile()
	if err != nil {
		return nil, fmt.Errorf("no shared memory for the tracer: %w", err)
	}
	size := sharedHeader + count*chunk
	if err := file.Truncate(int64(size)); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("no shared memory for the tracer: %w", err)
	}
	data, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("no shared memory for the tracer: %w", err)
	}
	return &sharedMemory{file: file, data: data, chunk: chunk, count: count}, nil
}

func (m *sharedMemory) of(n int) []byte {
	at := sharedHeader + n*m.chunk
	return m.data[at : at+m.chunk]
}

// interrupt tells the tracer to stop; false when nobody is there to be told.
func (m *sharedMemory) interrupt() bool {
	m.closing.Lock()
	defer m.closing.Unlock()
	if m.data == nil {
		return false
	}
	m.data[hdrInterrupt] = 1
	return true
}

func (m *sharedMemory) close() error {
	m.closing.Lock()
	defer m.closing.Unlock()
	err := unix.Munmap(m.data)
	m.data = nil
	return err
}

// written is how far a chunk was written when the tracer last said something:
// up to there it can be read while it writes on. 0 if that was another chunk.
func (m *sharedMemory) written(chunk int) int {
	// One load: the tracer stores all eight bytes at once, and half of an old and
	// half of a new number would lie within a record. Both sides have the byte
	// order of the machine they share.
	at := atomic.LoadUint64((*uint64)(unsafe.Pointer(&m.data[hdrWritten])))
	if int(at>>32) != chunk {
		return 0
	}
	return int(uint32(at))
}
