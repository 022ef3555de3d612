package trace

import (
	"errors"
	"os"

	"github.com/npdb/npdb/trace/saved"
	"github.com/npdb/npdb/trace/statetree"
)

// pageMemory bounds the memory for the pages of an opened recording.
const pageMemory = 64 << 20

// OpenFile reads a recording file as Open does. A file with an index is not read whole: its pages
// are read when they are used, until Close, and Tree().Err says whether one could not be read. If
// the index itself is damaged, the log is read.
func OpenFile(path string, l Limits) (*Recording, Landing, error) {
	file, err := saved.Open(path)
	if err != nil {
		return nil, Landing{}, err
	}
	r, landing, err := openIndex(file, l)
	if err == nil {
		return r, landing, nil
	}
	defer func() { _ = file.Close() }()
	return Open(file, l)
}

// OpenLog reads a recording file without its index.
func OpenLog(path string, l Limits) (*Recording, Landing, error) {
	file, err := saved.Open(path)
	if err != nil {
		return nil, Landing{}, err
	}
	defer func() { _ = file.Close() }()
	return Open(file, l)
}

// openIndex reads a file by its index. Close closes the file. If there is an error, nothing was
// read from the file's current position.
func openIndex(file *os.File, l Limits) (*Recording, Landing, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, Landing{}, err
	}
	x, err := saved.NewIndex(file, info.Size())
	if err != nil {
		return nil, Landing{}, err
	}
	pages := &indexFile{Index: x, file: file, info: info}
	tree, err := statetree.Load(x.Directory, pages.read, pageMemory)
	if err != nil {
		x.Close()
		return nil, Landing{}, err
	}
	r := opened(x.Header, tree, l)
	var end saved.End
	if err := x.Log(func(kind saved.Kind, data []byte) error { return r.readChunk(kind, data, &end) }); err != nil {
		x.Close()
		return nil, Landing{}, err
	}
	r.log.file = pages
	r.decode.paths = map[string]int{}
	for n, f := range tree.Files() {
		r.decode.paths[f.Real] = n
	}
	landing := r.ending(end)
	return r, landing, nil
}

// indexFile is an open file whose pages are read when they are used.
type indexFile struct {
	*saved.Index
	file *os.File
	info os.FileInfo // when the file was opened
}

var errChanged = errors.New("the file was changed after it was opened: open it again")

// read returns a page by its number. It refuses the page of another recording that has since been
// written to the file.
func (f *indexFile) read(page uint64) ([]byte, error) {
	data, err := f.Page(page)
	if info, e := f.file.Stat(); e == nil && (info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime())) {
		return nil, errChanged
	}
	return data, err
}

// Close frees the memory and closes the file.
func (f *indexFile) Close() error {
	f.Index.Close()
	return f.file.Close()
}
