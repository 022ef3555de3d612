package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/npdb/npdb/config"
)

// loaded returns a configuration with this text and nothing from the environment.
func loaded(t *testing.T, text string, flags ...string) *config.Loaded {
	t.Helper()
	c, _, err := load(t, text, flags...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func load(t *testing.T, text string, flags ...string) (c *config.Loaded, path string, err error) {
	t.Helper()
	for _, s := range config.Settings() {
		for _, name := range s.Env {
			if _, set := os.LookupEnv(name); set {
				t.Setenv(name, "")
			}
		}
	}
	path = filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	fs := pflag.NewFlagSet("doctor", pflag.ContinueOnError)
	config.AddFlags(fs)
	if err := fs.Parse(flags); err != nil {
		t.Fatal(err)
	}
	c, err = config.Load(fs, path)
	return c, path, err
}

func TestConfiguration(t *testing.T) {
	const text = `
theme = "colorblind"
[model]
base_url = "http://me:pAssw0rd@127.0.0.1:8000/v1?key=qUery"
key = "sk-sEcret"
headers = ["X-Token: h3ader"]
extra = '{"password": "b0dy", "priority": 1}'
`
	c, path, err := load(t, text, "--temperature", "0.5")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	facts := (&Given{Config: c, Path: path}).configuration(t.Context())
	documented(t, "configuration", facts)
	wants(t, fact(t, facts, "file", ""), Right, path)
	wants(t, fact(t, facts, "setting", "theme"), Right, `"colorblind", from `+path)
	wants(t, fact(t, facts, "setting", "model.temperature"), Right, "0.5, from --temperature")
	wants(t, fact(t, facts, "setting", "model.key"), Right, "set, from "+path)
	wants(t, fact(t, facts, "setting", "model.headers"), Right, `["X-Token"]`)
	wants(t, fact(t, facts, "setting", "model.extra"), Right, "set: password, priority")
	if n := len(facts); n != 7 {
		t.Errorf("%d facts: a default is among them, or one is missing", n)
	}
	all := fmt.Sprint(facts)
	for _, secret := range []string{"pAssw0rd", "qUery", "sk-sEcret", "h3ader", "b0dy"} {
		if strings.Contains(all, secret) {
			t.Errorf("%s is in %s", secret, all)
		}
	}
}

// TestConfigurationWarns checks that npdb's warnings appear as notes, for example that
// other users can read a key.
func TestConfigurationWarns(t *testing.T) {
	_, path, err := load(t, "[model]\nbase_url = 'http://127.0.0.1:1/v1'\nkey = 'sk-sEcret'\n")
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(pflag.NewFlagSet("doctor", pflag.ContinueOnError), path)
	if err != nil {
		t.Fatal(err)
	}
	c.Warnings = []string{"others may read it"}
	wants(t, fact(t, (&Given{Config: c, Path: path}).configuration(t.Context()), "warning", ""), Note, "others may read it")
}

// TestConfigurationFaults checks that an invalid configuration is reported with the reason
// and advice.
func TestConfigurationFaults(t *testing.T) {
	for text, words := range map[string]string{
		"themme = 'x'\n":                    "themme: did you mean theme?",
		"theme = \n":                        ":1:",
		"[model]\ntimeout = 'soon'\n":       "90s",
		"[model]\nkey = 5\n":                "model.key",
		"mode = 'neurall'\nconfirm = 'x'\n": "config.toml",
	} {
		_, path, err := load(t, text)
		if err == nil {
			t.Fatalf("%q is taken", text)
		}
		facts := (&Given{Fault: err, Path: path}).configuration(t.Context())
		documented(t, "configuration", facts)
		f := fact(t, facts, "fault", "")
		wants(t, f, Wrong, words)
		if !f.Fails || f.Do == "" {
			t.Errorf("%+v", f)
		}
	}
	facts := (&Given{Config: loaded(t, "python = ''\n")}).configuration(t.Context())
	wants(t, fact(t, facts, "setting", "python"), Right, "empty, from ")
	facts = (&Given{Config: loaded(t, "")}).configuration(t.Context())
	wants(t, fact(t, facts, "file", ""), Note, "neither XDG_CONFIG_HOME nor HOME")
	facts = (&Given{Config: loaded(t, ""), Path: filepath.Join(t.TempDir(), "none")}).configuration(t.Context())
	wants(t, fact(t, facts, "file", ""), Right, "there is none")
}
