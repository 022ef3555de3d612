//go:build unix

package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// cannotRun explains why the command that runs Python could not be started, and what the
// user can do.
func cannotRun(cmd *exec.Cmd, python string, err error) *StartError {
	what := python
	if cmd.Path != python {
		what += " by " + cmd.Args[0]
	}
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		if _, lost := os.Stat(cmd.Dir); cmd.Dir != "" && lost != nil {
			return &StartError{
				Kind: StartFailed, Err: lost,
				Message: "cannot run " + what + ": its working directory " + cmd.Dir + " cannot be entered: " + reason(lost),
			}
		}
	}
	message := "cannot run " + what + ": " + reason(err)
	if do := remedy(cmd.Path, err); do != "" {
		message += ". " + do
	}
	return &StartError{Kind: StartFailed, Message: message, Err: err}
}

// reason returns the text of an error, without the system call and the path if these are
// already part of the message.
func reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) && (path.Op == "fork/exec" || path.Op == "stat") {
		return path.Err.Error()
	}
	return err.Error()
}

// remedy returns what the user can do about an error, or "".
func remedy(path string, err error) string {
	limit := func(which int) uint64 {
		var l unix.Rlimit
		_ = unix.Getrlimit(which, &l) // the limit stays 0 if the call fails
		return l.Cur
	}
	switch {
	case errors.Is(err, unix.EMFILE):
		return fmt.Sprintf("npdb may have no more than %d files open at a time: raise that limit (ulimit -n)", limit(unix.RLIMIT_NOFILE))
	case errors.Is(err, unix.ENFILE):
		return "All the system's programs together have too many files open: end some of them"
	case errors.Is(err, unix.EFBIG):
		return fmt.Sprintf("A file may have no more than %d KiB here, and that memory counts as one: raise the limit (ulimit -f)", limit(unix.RLIMIT_FSIZE)>>10)
	case errors.Is(err, unix.EAGAIN):
		return "No more processes may be started: end some, or raise the limit (ulimit -u)"
	case errors.Is(err, unix.ENOMEM):
		return "There is not enough memory: end some programs, or raise the limit (ulimit -v)"
	case errors.Is(err, unix.ENOSPC):
		return "Make room in " + os.TempDir() + ", or name another folder with TMPDIR"
	case errors.Is(err, unix.E2BIG):
		return "Its arguments and environment together are too large: shorten them"
	case errors.Is(err, unix.ETXTBSY):
		return "It is being written: try again when that is over"
	case errors.Is(err, unix.ENOEXEC):
		return "It is neither a program for this machine nor a script that begins with #!: name another with --python"
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return "It, or what its first line names, may not be run by you or from where it lies: name another with --python"
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		if runs := shebang(path); runs != "" {
			return "Its first line says that " + runs + " runs it, which is not there: mend that line, or name another with --python"
		}
		return "It is there, but what it needs to run is not: name another with --python"
	}
	return ""
}

// shebang returns the interpreter in the first line of a script, or "".
func shebang(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	line, _ := bufio.NewReader(io.LimitReader(file, 256)).ReadString('\n')
	words, isScript := strings.CutPrefix(line, "#!")
	if fields := strings.Fields(words); isScript && len(fields) > 0 && filepath.IsAbs(fields[0]) {
		return fields[0]
	}
	return ""
}
