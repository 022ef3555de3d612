//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// remoteCode runs a script in another process. It answers with one word and a text.
const remoteCode = `import sys
if not hasattr(sys, "remote_exec"):
    print("old", "%d.%d" % sys.version_info[:2])
else:
    try:
        sys.remote_exec(int(sys.argv[1]), sys.argv[2])
        print("done")
    except PermissionError as e:
        print("forbidden", e)
    except Exception as e:
        print("failed", "%s: %s" % (type(e).__name__, e))
`

// remotely makes a process of Python 3.14 or later run a script, by the interpreter that it runs itself.
func remotely(ctx context.Context, pid, owner int, script, text string) error {
	python, err := interpreterOf(pid)
	if err != nil {
		return err
	}
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		return err
	}
	if err := give(script, owner); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, python, "-I", "-S", "-c", remoteCode, strconv.Itoa(pid), script).Output()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s does not run: %w", python, err)
	}
	answer, said, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	switch answer {
	case "done":
		return nil
	case "old":
		return fmt.Errorf("it runs Python %s, which lets no debugger in before 3.14: call npdb.listen() in the program (docs/entry-points.md), and attach then", said)
	case "forbidden":
		return errors.New(forbidden(said))
	}
	return fmt.Errorf("sys.remote_exec failed: %s (PYTHON_DISABLE_REMOTE_DEBUG and -X disable_remote_debug forbid it in the program)", said)
}

// interpreterOf returns the path of the Python that a process runs.
func interpreterOf(pid int) (string, error) {
	proc := "/proc/" + strconv.Itoa(pid)
	python, err := os.Readlink(proc + "/exe")
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", errors.New("npdb finds its interpreter on Linux only: call npdb.listen() in the program, and attach then")
	case errors.Is(err, os.ErrPermission):
		return "", errors.New(forbidden("its executable cannot be read"))
	case err != nil:
		return "", err
	}
	// Another program must not be run with these arguments.
	if !strings.HasPrefix(strings.ToLower(filepath.Base(python)), "python") {
		return "", fmt.Errorf("it runs %s, which is not a Python interpreter (a program that embeds Python can call npdb.listen())", python)
	}
	mine, err1 := os.Readlink("/proc/self/ns/mnt")
	its, err2 := os.Readlink(proc + "/ns/mnt")
	if err1 == nil && err2 == nil && mine != its {
		return "", errors.New("it runs in a container or another mount namespace: run npdb attach in there")
	}
	return python, nil
}

// forbidden explains why the kernel does not let npdb into a process.
func forbidden(said string) string {
	text := "the kernel does not allow it (" + said + ")"
	if scope, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope"); err == nil && strings.TrimSpace(string(scope)) != "0" {
		return text + ": kernel.yama.ptrace_scope is " + strings.TrimSpace(string(scope)) +
			". Run npdb with sudo, or sudo sysctl kernel.yama.ptrace_scope=0, or call npdb.listen() in the program"
	}
	return text + ". Run npdb with sudo, in a container with --cap-add SYS_PTRACE, or call npdb.listen() in the program"
}
