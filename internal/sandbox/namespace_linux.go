package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// restricted is where AppArmor says that who is not root has no rights in a user
// namespace, in which it may start programs all the same.
const restricted = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"

// TryUserNamespace starts a program in a user namespace of its own, which bubblewrap
// needs. The error is why that is not allowed.
func TryUserNamespace() error {
	if said, err := os.ReadFile(restricted); err == nil && strings.TrimSpace(string(said)) == "1" && os.Geteuid() != 0 {
		return errors.New("AppArmor restricts them (kernel.apparmor_restrict_unprivileged_userns is 1)")
	}
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	return cmd.Run()
}
