package doctor

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// TestCommit checks that the commit is shown if the version does not contain it.
func TestCommit(t *testing.T) {
	built := []debug.BuildSetting{{Key: "GOARCH", Value: "amd64"}, {Key: "vcs.revision", Value: "0123456789abcdef0123"}}
	for version, want := range map[string]string{
		"(devel)":                              "(devel), commit 0123456789ab",
		"v0.0.0-20260101000000-0123456789ab":   "v0.0.0-20260101000000-0123456789ab",
		"v0.0.0-20260101000000-0123456789ab+d": "v0.0.0-20260101000000-0123456789ab+d",
	} {
		if got := withCommit(version, built); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := withCommit("v1", built[:1]); got != "v1" {
		t.Error(got)
	}
}

func TestDistribution(t *testing.T) {
	path := filepath.Join(t.TempDir(), "os-release")
	if got := distribution(path); got != "" {
		t.Errorf("%q of no file", got)
	}
	if err := os.WriteFile(path, []byte("NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := distribution(path); got != "Debian GNU/Linux 12 (bookworm)" {
		t.Errorf("%q", got)
	}
}
