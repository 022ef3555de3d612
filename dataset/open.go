package dataset

import (
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// file is a shard's file, unpacked as it is read.
type file struct {
	*zstd.Decoder
	packed *os.File
}

// Open opens a file of a dataset, .jsonl.zst: what is read are its lines. They have to be
// closed.
func Open(path string) (io.ReadCloser, error) {
	packed, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	lines, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1))
	if err != nil {
		packed.Close()
		return nil, err
	}
	return &file{lines, packed}, nil
}

// Close implements io.Closer.
func (f *file) Close() error {
	f.Decoder.Close()
	return f.packed.Close()
}
