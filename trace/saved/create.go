package saved

import (
	"fmt"
	"io"
	"os"
)

// ExistsError says that a file is not replaced by a recording.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s exists and is not a recording, so it is not replaced: give another name", e.Path)
}

// Create creates a file for a recording. An existing file is replaced if it is a recording, else
// the error is an *ExistsError.
func Create(path string) (*os.File, error) {
	if old, err := os.Open(path); err == nil {
		first := make([]byte, len(Magic))
		n, err := io.ReadFull(old, first)
		_ = old.Close()
		if n > 0 && (err != nil || string(first) != Magic) {
			return nil, &ExistsError{path}
		}
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
}
