package saved

import (
	"bytes"
	"encoding/binary"
	"runtime"

	"github.com/klauspost/compress/zstd"
)

// Index writes an index behind the end, if there is a file. save passes the pages to put, which
// returns the number of each, and returns the directory. Without an index, because save fails or
// the directory is too large, the file is complete all the same.
func (w *Writer) Index(save func(put func(page []byte) (uint64, error)) (directory []byte, err error)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.to == nil || w.err != nil {
		return w.err
	}
	data := binary.AppendUvarint(nil, uint64(w.at))
	p := w.startPages()
	directory, err := save(p.put)
	p.finish()
	if err != nil || len(directory) > MostDirectory {
		return w.err
	}
	at := w.at
	w.chunk(KindDirectory, append(data, directory...))
	w.put(appendTrailer(nil, at))
	return w.err
}

// pages compresses pages at the same time and writes them in order.
type pages struct {
	w       *Writer
	encoder *zstd.Encoder
	count   uint64
	queue   chan chan []byte // each receives a chunk
	written chan struct{}
}

func (w *Writer) startPages() *pages {
	const most = 8 // pages may be large
	n := min(runtime.GOMAXPROCS(0), most)
	p := &pages{w: w, encoder: newEncoder(n), queue: make(chan chan []byte, n), written: make(chan struct{})}
	go p.write()
	return p
}

func (p *pages) write() {
	defer close(p.written)
	for packed := range p.queue {
		p.w.put(<-packed)
	}
}

// put queues a page and returns its number. An error in writing is that of Index.
func (p *pages) put(page []byte) (uint64, error) {
	page = bytes.Clone(page)
	packed := make(chan []byte, 1)
	p.queue <- packed
	go func() { packed <- appendChunk(nil, KindPage, p.encoder.EncodeAll(page, nil)) }()
	p.count++
	return p.count - 1, nil
}

// finish waits until all pages are written.
func (p *pages) finish() {
	close(p.queue)
	<-p.written
}
