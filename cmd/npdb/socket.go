package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// socketFolder returns the folder of the sockets. Only this user can read it. If create is set and the
// folder is missing, socketFolder creates it.
func socketFolder(create bool) (string, error) {
	dir := filepath.Join(os.TempDir(), "npdb-"+strconv.Itoa(os.Getuid()))
	if run := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(run) {
		dir = filepath.Join(run, "npdb")
	}
	if create {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", err
		}
	}
	info, err := os.Lstat(dir)
	if err == nil && (!info.IsDir() || info.Mode().Perm()&0o077 != 0) {
		err = fmt.Errorf("%s is not a folder of this user alone (mode 0700)", dir)
	}
	return dir, err
}

// eachSocket calls f with the path and the name of each file in the folder of the sockets. f returns the
// process id of the npdb that made the socket, or 0 if the file is not such a socket. eachSocket removes the
// socket if that process no longer runs.
func eachSocket(f func(path, name string) (pid int)) error {
	dir, err := socketFolder(false)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if pid := f(path, e.Name()); pid > 0 && !alive(pid) {
			_ = os.Remove(path) // another npdb may have removed it
		}
	}
	return nil
}

// alive reports whether a process runs. It works only on Unix.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0)) // kill(2): signal 0 only checks
	return !errors.Is(err, os.ErrProcessDone)
}
