package cli

import (
	"runtime/debug"
	"testing"
)

// TestVersionOf checks the version of builds from a tag, from a commit and from neither.
func TestVersionOf(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	for want, info := range map[string]debug.BuildInfo{
		"v1.2.3":                         {Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{commit}},
		"devel (0123456789ab)":           {Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{commit, {Key: "vcs.modified", Value: "false"}}},
		"devel (0123456789ab, modified)": {Settings: []debug.BuildSetting{commit, {Key: "vcs.modified", Value: "true"}}},
		"devel":                          {Main: debug.Module{Version: "(devel)"}},
	} {
		if got := versionOf(&info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
