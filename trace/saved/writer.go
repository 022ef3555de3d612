package saved

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Writer makes the chunks of a file. Until Begin gives it a place to write to, it keeps them in
// memory. Its methods may be called from any goroutine.
type Writer struct {
	mu      sync.Mutex
	encoder *zstd.Encoder
	started map[Kind][]byte // data that is not compressed yet
	waiting bool            // it will be written after mostWait
	kept    [][]byte        // chunks, until Begin
	held    int64           // bytes of kept
	to      io.Writer
	at      int64 // bytes passed to to
	err     error // of the first write that failed
	done    bool
}

// mostWait is how long data waits for more, to become a chunk of chunkFrom bytes.
const mostWait = time.Second

// Begin writes a header and all chunks so far, and from then on each new chunk. It empties an
// *os.File first.
func (w *Writer) Begin(to io.Writer, h Header) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	raw, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if file, ok := to.(*os.File); ok {
		if err := file.Truncate(0); err != nil {
			return err
		}
	}
	kept := w.kept
	w.to, w.at, w.kept, w.held = to, 0, nil, 0
	w.put(w.appendPacked([]byte(Magic), KindHeader, raw)) // one write: npdb may be killed after it
	for _, chunk := range kept {
		w.put(chunk)
	}
	return w.err
}

// Add appends data of a kind. Data that is added in one call stays in one chunk.
func (w *Writer) Add(kind Kind, data []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done || len(data) == 0 {
		return
	}
	if w.started == nil {
		w.started = map[Kind][]byte{}
	}
	was := w.started[kind]
	if len(was) > 0 && len(was)+len(data) > MostData {
		w.chunk(kind, was)
		was = was[:0]
	}
	w.started[kind] = append(was, data...)
	if len(w.started[kind]) >= chunkFrom {
		w.chunk(kind, w.started[kind])
		w.started[kind] = w.started[kind][:0]
	} else if w.to != nil && !w.waiting {
		w.waiting = true
		time.AfterFunc(mostWait, w.waited)
	}
}

// waited writes the data that has waited for more.
func (w *Writer) waited() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = false
	w.rest()
}

// Kept returns the chunks so far. Begin was not called.
func (w *Writer) Kept() [][]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest()
	return slices.Clone(w.kept)
}

// Cut returns the chunks so far and forgets them. Begin was not called.
func (w *Writer) Cut() [][]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest()
	kept := w.kept
	w.kept, w.held = nil, 0
	return kept
}

// Finish writes what is left and the end. Nothing can be added after that. It returns the first
// error of all writes.
func (w *Writer) Finish(e End) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		return w.err
	}
	w.rest()
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	w.chunk(KindEnd, raw)
	w.done, w.started = true, nil
	return w.err
}

// Flush writes what is left, although it is less than a chunk. It returns the first error of all
// writes.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest()
	return w.err
}

func (w *Writer) rest() {
	for _, kind := range slices.Sorted(maps.Keys(w.started)) {
		if data := w.started[kind]; len(data) > 0 {
			w.chunk(kind, data)
			w.started[kind] = data[:0]
		}
	}
}

// Bytes returns the memory that the kept chunks use.
func (w *Writer) Bytes() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.held
}

func (w *Writer) chunk(kind Kind, data []byte) { w.put(w.appendPacked(nil, kind, data)) }

// appendPacked appends a chunk, whose data it compresses.
func (w *Writer) appendPacked(b []byte, kind Kind, data []byte) []byte {
	if w.encoder == nil {
		w.encoder = newEncoder(1)
	}
	return appendChunk(b, kind, w.encoder.EncodeAll(data, nil))
}

// newEncoder returns an encoder that compresses the data of n chunks at the same time.
func newEncoder(n int) *zstd.Encoder {
	// The options are valid, so that there is no error.
	encoder, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(n),
		zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<20))
	return encoder
}

// put writes bytes, or keeps them.
func (w *Writer) put(b []byte) {
	if w.to == nil {
		w.kept = append(w.kept, b)
		w.held += int64(cap(b)) + 24
		return
	}
	if w.err == nil {
		w.at += int64(len(b))
		_, w.err = w.to.Write(b)
	}
}
