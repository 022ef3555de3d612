// Package plainfile reads files that a user names, or that are in folders where npdb searches. It
// refuses to open a named pipe, a device or a folder, because a read from it might never end. It
// also refuses files above a size limit. It can replace a file atomically, and create a
// file without replacing one.
package plainfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/dustin/go-humanize"
)

// SourceLimit is the size limit for source files of a debugged program, in bytes.
const SourceLimit = 64 << 20

// NotPlainError reports a pipe, device or folder instead of a plain file.
type NotPlainError struct {
	Path string
	Is   string // "a named pipe"
}

func (e *NotPlainError) Error() string { return fmt.Sprintf("%q is %s, not a file", e.Path, e.Is) }

// TooLargeError reports a file that exceeds a size limit.
type TooLargeError struct {
	Path  string
	Limit int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%q is larger than %s", e.Path, humanize.IBytes(uint64(e.Limit)))
}

// Check returns an error if a path is not a plain file, or if the file exceeds a size limit.
func Check(path string, limit int64) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return check(path, info, limit)
}

func check(path string, info fs.FileInfo, limit int64) error {
	if is := kind(info.Mode()); is != "" {
		return &NotPlainError{Path: path, Is: is}
	}
	if info.Size() > limit {
		return &TooLargeError{Path: path, Limit: limit}
	}
	return nil
}

// kind returns the type of file for a mode, or "" for a plain file.
func kind(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// Read returns the content of a plain file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) { return read(path, limit, 0) }

// ReadText is like Read, and leaves out the byte order mark with which some editors begin a file in
// UTF-8.
func ReadText(path string, limit int64) ([]byte, error) {
	text, err := Read(path, limit)
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}

// ReadSource returns the content of a program's file of at most SourceLimit bytes.
func ReadSource(path string) ([]byte, error) { return Read(path, SourceLimit) }

// ReadOrWait is like Read, but also reads a named pipe, such as a shell's <(command), if the pipe's
// writer ends within the time wait.
func ReadOrWait(path string, limit int64, wait time.Duration) ([]byte, error) {
	return read(path, limit, wait)
}

func read(path string, limit int64, wait time.Duration) ([]byte, error) {
	refused := Check(path, limit) // before opening it, because opening a device can have side effects
	var other *NotPlainError
	var large *TooLargeError
	pipe := wait > 0 && errors.As(refused, &other) && other.Is == "a named pipe"
	if !pipe && (errors.As(refused, &other) || errors.As(refused, &large)) {
		return nil, refused
	}
	file, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err == nil && !pipe { // the file may have been replaced in the meantime
		err = check(path, info, limit)
	}
	if err == nil && pipe {
		err = file.SetReadDeadline(time.Now().Add(wait))
	}
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, limit+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("%q is a named pipe that did not end within %v", path, wait)
	case err != nil:
		return nil, err
	case int64(len(raw)) > limit:
		return nil, &TooLargeError{Path: path, Limit: limit}
	}
	return raw, nil
}

// WriteNew creates a file that only its owner can read, writes content to it, and returns its size. It
// never replaces a file: the error is then fs.ErrExist. If writing fails, the file is removed.
func WriteNew(path string, content func(w io.Writer) error) (size int64, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	err = content(file)
	if err == nil {
		size, err = file.Seek(0, io.SeekCurrent)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, errors.Join(err, os.Remove(path))
	}
	return size, nil
}
