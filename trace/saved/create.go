package saved

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// ExistsError says that a file is not replaced by a recording.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s exists and is not a recording, so it is not replaced: give another name", e.Path)
}

// BusyError reports that another npdb is writing a recording to a file.
type BusyError struct{ Path string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is being written by another npdb: give another name, or wait until it has ended", e.Path)
}

// IrregularError reports that a path does not name a regular file, but a folder, a pipe or a device.
type IrregularError struct{ Path string }

func (e *IrregularError) Error() string { return e.Path + " is not a regular file" }

// Open opens a recording file for reading. For a pipe or another irregular file it returns an
// *IrregularError and does not wait.
func Open(path string) (*os.File, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// regular returns an *IrregularError if a path exists and does not name a regular file.
func regular(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return &IrregularError{path}
	}
	return nil
}

// Create opens a file for a recording, which replaces what the file holds when Writer.Begin is
// called. The file is locked until it is closed. The error is an *ExistsError if the file exists and is
// neither a recording nor empty, a *BusyError if another npdb has locked it, and an *IrregularError.
func Create(path string) (*os.File, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if !lock(file) {
		return nil, errors.Join(&BusyError{path}, file.Close())
	}
	first := make([]byte, len(Magic))
	n, err := io.ReadFull(file, first)
	if n > 0 && (err != nil || string(first) != Magic) {
		return nil, errors.Join(&ExistsError{path}, file.Close())
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, file.Close())
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Abandon closes a file of Create for which there is no recording, and removes it if it is empty.
func Abandon(file *os.File) error {
	info, err := file.Stat()
	err = errors.Join(err, file.Close())
	if err == nil && info.Size() == 0 {
		err = os.Remove(file.Name())
	}
	return err
}
