package dataset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

// file is a shard's file, decompressed while it is read.
type file struct {
	lines  *zstd.Decoder
	packed *os.File
}

// Open opens a file of a dataset, .jsonl.zst, for reading its lines. The caller must close
// it. Errors name the file.
func Open(path string) (io.ReadCloser, error) {
	packed, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	lines, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1))
	if err != nil {
		packed.Close()
		return nil, naming(path, err)
	}
	return &file{lines, packed}, nil
}

// Read implements io.Reader.
func (f *file) Read(to []byte) (int, error) {
	n, err := f.lines.Read(to)
	if err == nil || err == io.EOF { //nolint:errorlint // io.Reader requires the bare io.EOF
		return n, err
	}
	return n, naming(f.packed.Name(), err)
}

// naming returns the error with the file's name. Errors of package zstd do not contain it, those of the
// operating system do.
func naming(path string, err error) error {
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Close implements io.Closer.
func (f *file) Close() error {
	f.lines.Close()
	return f.packed.Close()
}
