package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// restricted is the AppArmor setting by which users other than root may create a user namespace,
// but have no rights in it.
const restricted = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"

// TryUserNamespace starts a program in a new user namespace, which bubblewrap needs. The error
// explains why that is not allowed.
func TryUserNamespace() error {
	if said, err := os.ReadFile(restricted); err == nil && strings.TrimSpace(string(said)) == "1" && os.Geteuid() != 0 {
		return errors.New("AppArmor restricts them (kernel.apparmor_restrict_unprivileged_userns is 1)")
	}
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	return cmd.Run()
}
