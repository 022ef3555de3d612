package sandbox

import (
	"os/exec"
	"strings"
	"testing"
)

// TestTryUserNamespace checks that the result agrees with that of unshare(1).
func TestTryUserNamespace(t *testing.T) {
	err := TryUserNamespace()
	if err != nil && strings.Contains(err.Error(), "AppArmor") {
		t.Skip("skipped: ", err)
	}
	unshare, missing := exec.LookPath("unshare")
	if missing != nil {
		t.Skip("skipped: ", missing)
	}
	said, failed := exec.Command(unshare, "--user", "true").CombinedOutput()
	if (err == nil) != (failed == nil) {
		t.Errorf("%v, but unshare says %v: %s", err, failed, said)
	}
}
