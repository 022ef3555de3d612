package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replacement is a file that is being written, and that replaces another one atomically. A reader,
// even after a crash, finds either the old file (or none) or the complete new one.
type Replacement struct {
	*os.File
	path string
	mode fs.FileMode
}

// NewReplacement creates a file that Commit moves to path with this mode. Until Commit the file is
// in the same folder, under the name in path plus a dot and digits. If npdb is killed, it remains
// there.
func NewReplacement(path string, mode fs.FileMode) (*Replacement, error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // has mode 0600
	if err != nil {
		return nil, err
	}
	return &Replacement{file, path, mode}, nil
}

// Commit writes the file to disk and moves it to its path. If that fails, the old file is
// unchanged, and the new one is removed.
func (r *Replacement) Commit() error {
	err := errors.Join(r.Chmod(r.mode), r.Sync(), r.Close())
	if err == nil {
		err = os.Rename(r.Name(), r.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(r.Name()))
	}
	return nil
}

// Abandon removes the new file. The old one stays unchanged.
func (r *Replacement) Abandon() error { return errors.Join(r.Close(), os.Remove(r.Name())) }

// Replace creates or replaces a file atomically: a reader, even after a crash, finds either the old
// file or the new one. The folder must exist. If it fails, the old file is unchanged and the new
// one is removed; if it cannot be removed, the error reports that.
func Replace(path string, raw []byte, mode fs.FileMode) error {
	file, err := NewReplacement(path, mode)
	if err != nil {
		return err
	}
	if _, err := file.Write(raw); err != nil {
		return errors.Join(err, file.Abandon())
	}
	return file.Commit()
}
