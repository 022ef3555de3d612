package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replacement is a file that is being written and replaces another one atomically. A
// reader, also after a crash, finds the old file (or none), or the complete new one.
type Replacement struct {
	*os.File
	path string
	mode fs.FileMode
}

// NewReplacement creates a file that Commit moves to path and gives the mode. Until Commit it is in
// the same folder, under the name of path plus a dot and digits. If npdb is killed, it stays there.
func NewReplacement(path string, mode fs.FileMode) (*Replacement, error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // has mode 0600
	if err != nil {
		return nil, err
	}
	return &Replacement{file, path, mode}, nil
}

// Commit writes the file to the disk and moves it to its path. After an error the old file
// is unchanged, and the new one is removed.
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

// Replace replaces or creates a file with a mode atomically: a reader, also after a crash,
// finds the old file or the new one. The folder must exist. After an error of the system
// the old file is unchanged, and the new one is removed. If the new one cannot be removed,
// the error says so.
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
