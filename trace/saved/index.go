package saved

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Index reads a file by its index: pages, which are read when they are used, and a directory, from
// which the caller knows what each page holds.
//
// The index follows the log, which ends with the KindEnd chunk:
//
//	KindPage       one chunk for each page
//	KindDirectory  the offset of the first page, as a uvarint; then the directory
//	KindTrailer    the offset of the KindDirectory chunk: 8 bytes, little-endian
//
// The data of the trailer is not compressed (frameHead), so the last trailerSize bytes of the file
// are the trailer.
type Index struct {
	Header    Header
	Directory []byte

	from    io.ReaderAt
	decoder *zstd.Decoder
	log     int64   // offset of the end of the log
	pages   []int64 // offset of each page, and of the end of the last one
}

// MostDirectory is the maximum number of bytes of a directory, because what is made of it can take
// many times its size.
const MostDirectory = 16 << 20

// frameHead begins a zstd frame of one block of eight bytes, stored as they are.
const frameHead = "\x28\xb5\x2f\xfd\x20\x08\x41\x00\x00"

const trailerSize = headSize + int64(len(frameHead)) + 8

// errNoIndex says that a file ends without an index.
var errNoIndex = errors.New("the recording has no index")

func appendTrailer(b []byte, directory int64) []byte {
	data := binary.LittleEndian.AppendUint64([]byte(frameHead), uint64(directory))
	return appendChunk(b, KindTrailer, data)
}

// NewIndex reads the directory of a file of this size and checks all pages. An error says that the
// file has no index or that the index is damaged; the log may be whole. The index must be closed.
func NewIndex(from io.ReaderAt, size int64) (*Index, error) {
	r, err := NewReader(io.NewSectionReader(from, 0, size))
	if err != nil {
		return nil, err
	}
	x := &Index{Header: r.Header, from: from, decoder: r.decoder}
	directory, err := x.trailer(size)
	if err == nil {
		err = x.readDirectory(directory)
	}
	if err == nil {
		err = x.readPages(directory)
	}
	if err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// trailer returns the offset of the directory.
func (x *Index) trailer(size int64) (int64, error) {
	at := size - trailerSize
	if at < int64(len(Magic)) {
		return 0, errNoIndex
	}
	b := make([]byte, trailerSize)
	if _, err := x.from.ReadAt(b, at); err != nil {
		return 0, err
	}
	directory := int64(binary.LittleEndian.Uint64(b[trailerSize-8:]))
	if !bytes.Equal(b, appendTrailer(nil, directory)) {
		return 0, errNoIndex
	}
	if directory < int64(len(Magic)) || directory > at-headSize {
		return 0, &DamagedError{Offset: at, Why: "its trailer is wrong"}
	}
	return directory, nil
}

func (x *Index) readDirectory(at int64) error {
	data, err := x.chunk(at, KindDirectory)
	if err != nil {
		return err
	}
	log, n := binary.Uvarint(data)
	if n <= 0 || log < uint64(len(Magic)) || log > uint64(at) || len(data)-n > MostDirectory {
		return &DamagedError{Offset: at, Why: "its directory is wrong"}
	}
	x.log, x.Directory = int64(log), data[n:]
	return nil
}

// readPages finds the pages, which lie between the log and the directory, and checks them.
func (x *Index) readPages(end int64) error {
	const step = 1 << 20
	r := &Reader{from: bufio.NewReaderSize(io.NewSectionReader(x.from, x.log, end-x.log), step), at: x.log}
	for r.at < end {
		kind, err := r.pack()
		switch {
		case err != nil:
			return err
		case kind != KindPage:
			return r.damaged("a chunk of the index is no page")
		}
		x.pages = append(x.pages, r.at)
		r.at += headSize + int64(len(r.packed))
	}
	x.pages = append(x.pages, end)
	return nil
}

// chunk reads the data of a chunk, which must be of this kind.
func (x *Index) chunk(at int64, want Kind) ([]byte, error) {
	r := &Reader{from: io.NewSectionReader(x.from, at, headSize+MostData), decoder: x.decoder, at: at}
	kind, data, err := r.Next()
	if errors.Is(err, io.EOF) || err == nil && kind != want {
		return nil, r.damaged("a chunk of kind " + string(want) + " is missing")
	}
	return data, err
}

// Page reads a page by its number, counted from 0. It may be called from any goroutine.
func (x *Index) Page(k uint64) ([]byte, error) {
	if k >= uint64(len(x.pages)-1) {
		return nil, &DamagedError{Offset: x.pages[len(x.pages)-1], Why: "a page does not exist"}
	}
	return x.chunk(x.pages[k], KindPage)
}

// Log passes the data of each chunk of the log to f, except the header and the records, which it
// skips without reading them.
func (x *Index) Log(f func(kind Kind, data []byte) error) error {
	var b [headSize]byte
	for at := int64(len(Magic)); at < x.log; {
		if _, err := x.from.ReadAt(b[:], at); err != nil {
			return err
		}
		kind, size, _ := head(b[:])
		if kind != KindRecords && kind != KindHeader {
			data, err := x.chunk(at, kind)
			if err == nil {
				err = f(kind, data)
			}
			if err != nil {
				return err
			}
		}
		at += headSize + size
		if at >= x.log && (at > x.log || kind != KindEnd) {
			return &DamagedError{Offset: at, Why: "the log does not end where its index says"}
		}
	}
	return nil
}

// Close frees the memory. It does not close the file.
func (x *Index) Close() { x.decoder.Close() }
