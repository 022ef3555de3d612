//go:build unix

package trace

import (
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sharedHeader is channel.HEADER, the number of bytes before the first chunk.
const sharedHeader = 65536

// Offsets of the flags in the header of the shared memory, as in tracer/channel.py, which
// explains them.
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
	hdrLost      = 17
)

// sharedMemory is the memory through which the tracer sends events: a header, then chunks
// that are filled and read in turn. The program can write to it at any time, even while
// npdb reads. So npdb copies the data once and decodes only the copy.
type sharedMemory struct {
	file  *os.File
	data  []byte
	chunk int // size of a chunk in bytes
	count int

	cut atomic.Bool // the file was truncated, or could not be read

	// closing is locked by close and by interrupt, which may be called from any goroutine. All
	// other methods are called only before close.
	closing sync.Mutex
}

func newSharedMemory(count, chunk int) (*sharedMemory, error) {
	file, err := memoryFile()
	if err != nil {
		return nil, err
	}
	m, err := mapShared(file, count, chunk)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return m, nil
}

func mapShared(file *os.File, count, chunk int) (*sharedMemory, error) {
	size := sharedHeader + count*chunk
	if err := file.Truncate(int64(size)); err != nil {
		return nil, err
	}
	fixSize(file)
	data, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &sharedMemory{file: file, data: data, chunk: chunk, count: count}, nil
}

// temporaryFile returns an open file that has no name in the file system any more.
func temporaryFile() (*os.File, error) {
	file, err := os.CreateTemp("", "npdb")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// access runs f, which must only read or write the memory. Where the kernel cannot forbid
// truncation (see fixSize), the program may have truncated the file. An access beyond the
// end then raises SIGBUS. access turns this into the end of the recording, so that npdb
// continues.
func (m *sharedMemory) access(f func(data []byte)) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }: // runtime.Error of a fault
			m.cut.Store(true)
		default:
			panic(fault)
		}
	}()
	f(m.data)
}

// lost returns ErrMemoryLost once an access has failed.
func (m *sharedMemory) lost() error {
	if m.cut.Load() {
		return ErrMemoryLost
	}
	return nil
}

// flag returns a byte of the header, or 0 if the memory is lost.
func (m *sharedMemory) flag(at int) (value byte) {
	m.access(func(data []byte) { value = data[at] })
	return value
}

func (m *sharedMemory) setFlag(at int, value byte) {
	m.access(func(data []byte) { data[at] = value })
}

func (m *sharedMemory) of(data []byte, n int) []byte {
	at := sharedHeader + n*m.chunk
	return data[at : at+m.chunk]
}

// copyOf appends the bytes [from, to) of a chunk to into, or fewer if to is beyond the chunk.
func (m *sharedMemory) copyOf(into []byte, chunk, from, to int) []byte {
	m.access(func(data []byte) {
		whole := m.of(data, chunk)
		into = append(into, whole[from:max(from, min(to, len(whole)))]...)
	})
	return into
}

// wipe clears a chunk up to an offset.
func (m *sharedMemory) wipe(chunk, to int) {
	m.access(func(data []byte) { clear(m.of(data, chunk)[:to]) })
}

// begun reports whether a chunk contains data.
func (m *sharedMemory) begun(chunk int) (yes bool) {
	m.access(func(data []byte) { yes = m.of(data, chunk)[0] != 0 })
	return yes
}

// interrupt asks the tracer to stop. It returns false if there is no tracer.
func (m *sharedMemory) interrupt() bool {
	m.closing.Lock()
	defer m.closing.Unlock()
	if m.data == nil {
		return false
	}
	m.setFlag(hdrInterrupt, 1)
	return true
}

// close frees the memory. It may be called repeatedly, and on nil.
func (m *sharedMemory) close() error {
	if m == nil {
		return nil
	}
	m.closing.Lock()
	defer m.closing.Unlock()
	if m.data == nil {
		return nil
	}
	err := unix.Munmap(m.data)
	m.data = nil
	return err
}

// written returns the offset up to which the tracer has completed its records in a chunk, as of
// its last message or output. It returns 0 if that was about another chunk.
func (m *sharedMemory) written(chunk int) int {
	// The tracer stores all eight bytes at once, so one load must read them. A mixture of an
	// old and a new number could be an offset inside a record. Both sides have the byte order
	// of the machine they share.
	var at uint64
	m.access(func(data []byte) { at = atomic.LoadUint64((*uint64)(unsafe.Pointer(&data[hdrWritten]))) })
	if int(at>>32) != chunk {
		return 0
	}
	return int(uint32(at))
}
