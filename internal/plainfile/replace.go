package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replacement is a file that is being written and takes its place as a whole: whoever
// reads meanwhile, or after a crash, finds the old file, or none, or the new one.
type Replacement struct {
	*os.File
	path string
	mode fs.FileMode
}

// NewReplacement begins a file of a mode that is to lie at a path. Until Commit it lies
// beside it, under its name with a dot and digits behind; what is killed leaves it there.
func NewReplacement(path string, mode fs.FileMode) (*Replacement, error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // of mode 0600
	if err != nil {
		return nil, err
	}
	return &Replacement{file, path, mode}, nil
}

// Commit puts the file in its place, when it is on the disk. After an error the old one is
// as it was, and nothing lies beside it.
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

// Abandon removes the file.
func (r *Replacement) Abandon() error { return errors.Join(r.Close(), os.Remove(r.Name())) }

// Replace puts a new file of a mode in the place of one, or where there was none: whoever
// reads meanwhile, or after a crash, finds one or the other. The error is the system's,
// of the folder, which has to be there, or of the disk; then the old file is as it was,
// and nothing lies beside it. One that could not be removed either is an error as well.
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
