package saved

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// NotRecordingError says that a file is not a recording.
type NotRecordingError struct{}

func (*NotRecordingError) Error() string {
	return "this is not a recording file of npdb: npdb record makes one, and npdb FILE debugs a program"
}

// NewerError says that a file has a format of a later npdb.
type NewerError struct{ Format int }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the recording has format %d, and this npdb reads formats up to %d: open it with a newer npdb", e.Format, Version)
}

// DamagedError says from where on a file cannot be read.
type DamagedError struct {
	Offset int64 // of the chunk that cannot be read
	Why    string
	// CutOff reports that the file ends inside the chunk, as after a kill in the middle of a write:
	// all that precedes it is whole.
	CutOff bool
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the recording is damaged at byte %d: %s", e.Offset, e.Why)
}

// Reader reads the chunks of a file in turn.
type Reader struct {
	Header Header

	from    io.Reader
	at      int64 // offset of the next chunk
	decoder *zstd.Decoder
	head    [headSize]byte
	packed  []byte
	data    []byte
}

// NewReader reads the header of a file. The errors are *NotRecordingError, *NewerError and
// *DamagedError, and those of from. The reader must be closed.
func NewReader(from io.Reader) (*Reader, error) {
	var magic [len(Magic)]byte
	switch _, err := io.ReadFull(from, magic[:]); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), err == nil && string(magic[:]) != Magic:
		return nil, &NotRecordingError{}
	case err != nil:
		return nil, err
	}
	r, err := newReader(from)
	if err != nil {
		return nil, err
	}
	if err := r.readHeader(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func newReader(from io.Reader) (*Reader, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MostData), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return &Reader{from: from, at: int64(len(Magic)), decoder: decoder}, nil
}

func (r *Reader) readHeader() error {
	kind, data, err := r.Next()
	switch {
	case errors.Is(err, io.EOF):
		return r.cutOff("it ends before its header")
	case err != nil:
		return err
	case kind != KindHeader:
		return &DamagedError{Offset: int64(len(Magic)), Why: "the first chunk is no header"}
	}
	if err := json.Unmarshal(data, &r.Header); err != nil {
		return &DamagedError{Offset: int64(len(Magic)), Why: "the header is no JSON: " + err.Error()}
	}
	if r.Header.Format > Version {
		return &NewerError{r.Header.Format}
	}
	return nil
}

// Offset returns the offset of the next chunk in the file, in bytes.
func (r *Reader) Offset() int64 { return r.at }

func (r *Reader) damaged(why string) error { return &DamagedError{Offset: r.at, Why: why} }

func (r *Reader) cutOff(why string) error { return &DamagedError{Offset: r.at, Why: why, CutOff: true} }

// Next reads a chunk. The data is valid until the next call. At the end of the file the error is
// io.EOF; a *DamagedError says that the rest of the file cannot be read.
func (r *Reader) Next() (Kind, []byte, error) {
	kind, err := r.pack()
	if err != nil {
		return 0, nil, err
	}
	if r.data, err = r.decoder.DecodeAll(r.packed, r.data[:0]); err != nil {
		return 0, nil, r.damaged("a chunk cannot be decompressed: " + err.Error())
	}
	r.at += headSize + int64(len(r.packed))
	return kind, r.data, nil
}

// pack reads the compressed data of the next chunk and checks it.
func (r *Reader) pack() (Kind, error) {
	switch _, err := io.ReadFull(r.from, r.head[:]); {
	case errors.Is(err, io.EOF):
		return 0, io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return 0, r.cutOff("it ends inside a chunk")
	case err != nil:
		return 0, err
	}
	kind, size, sum := head(r.head[:])
	if size > MostData {
		return 0, r.damaged(fmt.Sprintf("a chunk of %d bytes", size))
	}
	var err error
	if r.packed, err = readUpTo(r.from, r.packed[:0], size); err != nil {
		return 0, err
	}
	if int64(len(r.packed)) < size {
		return 0, r.cutOff("it ends inside a chunk")
	}
	if checksum(r.head[:], r.packed) != sum {
		return 0, r.damaged("a checksum is wrong")
	}
	return kind, nil
}

// readUpTo appends size bytes to b, or fewer at the end of the file. It allocates no more than it
// reads, because a damaged file may give any size.
func readUpTo(from io.Reader, b []byte, size int64) ([]byte, error) {
	const step = 1 << 20
	for have := int64(0); have < size; {
		n := min(step, size-have)
		b = append(b, make([]byte, n)...)
		got, err := io.ReadFull(from, b[have:])
		have += int64(got)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return b[:have], nil
		}
		if err != nil {
			return b[:have], err
		}
	}
	return b, nil
}

// EachKept calls f for the chunks that Writer.Kept or Cut returned.
func EachKept(chunks [][]byte, f func(kind Kind, data []byte) error) error {
	r, err := newReader(nil)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, chunk := range chunks {
		r.from = bytes.NewReader(chunk)
		kind, data, err := r.Next()
		if err == nil {
			err = f(kind, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Close frees the reader's memory. It does not close the file.
func (r *Reader) Close() { r.decoder.Close() }

// HeaderOf reads the header of a file. The errors are those of NewReader, and of opening the file.
func HeaderOf(path string) (Header, error) {
	file, err := Open(path)
	if err != nil {
		return Header{}, err
	}
	defer func() { _ = file.Close() }()
	r, err := NewReader(file)
	if err != nil {
		return Header{}, fmt.Errorf("%s: %w", path, err)
	}
	r.Close()
	return r.Header, nil
}
