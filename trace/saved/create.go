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

// Create opens a file for a recording, which replaces what the file holds when Writer.Begin is
// called. The error is an *ExistsError if the file exists and is neither a recording nor empty.
func Create(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	first := make([]byte, len(Magic))
	n, err := io.ReadFull(file, first)
	if n > 0 && (err != nil || string(first) != Magic) {
		return nil, errors.Join(&ExistsError{path}, file.Close())
	}
	if err != nil && !errors.Is(err, io.EOF) { // not a file that can be read, such as a device
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
