//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/npdb/npdb/trace"
)

// silence is how long npdb waits for a process before it says why.
const silence = 2 * time.Second

// reach makes a running Python process connect to npdb, and returns the connection.
func reach(ctx context.Context, pid int) (_ connection, err error) {
	owner, err := ownerOf(pid)
	if err != nil {
		return nil, err
	}
	folder, err := attachFolder(owner)
	if err != nil {
		return nil, err
	}
	unlock, err := lockAttach(filepath.Join(folder, fmt.Sprintf("attach-%d.lock", pid)), owner)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	path := filepath.Join(folder, fmt.Sprintf("attach-%d.sock", pid))
	if err := remove(path); err != nil {
		return nil, err
	}
	at, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, at.Close()) }() // Close also removes the socket
	if err := give(path, owner); err != nil {
		return nil, err
	}
	hears, err := listening(folder, pid)
	if err != nil {
		return nil, err
	}
	if hears > 0 {
		if err := syscall.Kill(pid, hears); err != nil {
			return nil, err
		}
		return awaited(ctx, at, pid)
	}
	script := filepath.Join(folder, fmt.Sprintf("attach-%d.py", pid))
	if err := remotely(ctx, pid, owner, script, trace.RemoteText(path)); err != nil {
		return nil, errors.Join(err, remove(script))
	}
	conn, err := awaited(ctx, at, pid)
	if err == nil || !alive(pid) { // otherwise the process still runs the script, and would complain without it
		err = errors.Join(err, os.Remove(script))
	}
	return conn, err
}

// remove removes a file, if there is one.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// lockAttach makes sure that one npdb at a time attaches to a process, until unlock is called.
func lockAttach(path string, owner int) (unlock func() error, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil || !isAt(file, path) {
		return nil, errors.Join(errors.New("another npdb is attaching to it"), file.Close())
	}
	if err := give(path, owner); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() error { return errors.Join(os.Remove(path), file.Close()) }, nil
}

// isAt reports whether an open file is still the one at a path. After this npdb has opened a lock's
// file, the npdb that held the lock may have removed it, and a third one may have created another.
func isAt(file *os.File, path string) bool {
	own, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(own, there)
}

// ownerOf returns the user of a process that npdb may attach to.
func ownerOf(pid int) (uid int, err error) {
	switch err := syscall.Kill(pid, 0); {
	case errors.Is(err, syscall.ESRCH):
		return 0, errors.New("there is no such process")
	case errors.Is(err, syscall.EPERM):
		return 0, errors.New("it belongs to another user: run npdb as that user, or with sudo")
	case err != nil:
		return 0, err
	}
	if info, err := os.Stat("/proc/" + strconv.Itoa(pid)); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			return int(stat.Uid), nil
		}
	}
	return os.Getuid(), nil
}

// attachFolder returns the folder in which npdb and a process of a user meet. Only that user may use it. The
// Python package npdb knows its name (shim/npdb/npdb/listening.py), which so depends on no variable.
func attachFolder(owner int) (string, error) {
	folder := "/tmp/npdb-" + strconv.Itoa(owner)
	if err := os.Mkdir(folder, 0o700); err == nil {
		if err := give(folder, owner); err != nil {
			return "", err
		}
	} else if !errors.Is(err, os.ErrExist) {
		return "", err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return "", err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != owner || info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s is not a folder of this user alone (mode 0700): remove it", folder)
	}
	return folder, nil
}

// give makes a file one of the process's user, if npdb runs as root.
func give(path string, owner int) error {
	if owner == os.Getuid() {
		return nil
	}
	return os.Chown(path, owner, -1)
}

// listening returns the signal at which a process connects to npdb, because it has called npdb.listen(). It
// returns 0 if it has not: a process that does not expect the signal would be killed by it.
func listening(folder string, pid int) (syscall.Signal, error) {
	path := filepath.Join(folder, fmt.Sprintf("listen-%d", pid))
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil { // the process that made it has ended
		return 0, os.Remove(path)
	}
	text := make([]byte, 8)
	n, err := file.Read(text)
	if err != nil {
		return 0, err
	}
	number, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil {
		return 0, fmt.Errorf("%s does not name a signal", path)
	}
	return syscall.Signal(number), nil
}

// awaited waits for the connection of a process. It says so if that takes long, and fails if the process
// ends.
func awaited(ctx context.Context, at *net.UnixListener, pid int) (connection, error) {
	defer context.AfterFunc(ctx, func() { _ = at.SetDeadline(time.Unix(1, 0)) })()
	for said := false; ; {
		if err := at.SetDeadline(time.Now().Add(silence)); err != nil {
			return nil, err
		}
		conn, err := at.AcceptUnix()
		switch {
		case ctx.Err() != nil && conn != nil:
			return nil, errors.Join(ctx.Err(), conn.Close())
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			return conn, nil
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return nil, err
		case !alive(pid):
			return nil, errors.New("it has ended")
		case !said:
			said = true
			fmt.Fprintf(os.Stderr, "npdb: waiting for process %d, which runs no Python code now (it sleeps, reads or computes in C code). Ctrl-C gives up.\n", pid)
		}
	}
}
