package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestConfigKey checks which key is sent to which endpoint.
func TestConfigKey(t *testing.T) {
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(keyFile, []byte("of-the-key-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const (
		alone = "[model]\nkey = 'of-the-file'\n"
		pair  = alone + "base_url = 'http://a/v1'\n"
	)
	both := map[string]string{"NPDB_KEY": "of-npdb", "OPENAI_API_KEY": "of-openai"}
	openai := map[string]string{"OPENAI_API_KEY": "of-openai"}
	for _, tt := range []struct {
		name, file string
		env        map[string]string
		args       []string
		want       string
		warned     bool
	}{
		{name: "none"},
		{name: "file", file: alone, want: "of-the-file"},
		{name: "file, another endpoint", file: alone, args: []string{"--base-url=http://b/v1"}, want: "of-the-file"},
		{name: "openai over file", file: alone, env: openai, want: "of-openai"},
		{name: "npdb over openai", file: alone, env: both, want: "of-npdb"},
		{name: "flag over all", file: alone, env: both, args: []string{"--key-file=" + keyFile}, want: "of-the-key-file"},
		{name: "variable of a file", file: alone, env: map[string]string{"NPDB_KEY_FILE": keyFile, "OPENAI_API_KEY": "x"}, want: "of-the-key-file"},
		{name: "file of a file", file: "[model]\nkey_file = '" + keyFile + "'", want: "of-the-key-file"},
		{name: "pair", file: pair, want: "of-the-file"},
		{name: "pair, openai's is not sent", file: pair, env: openai, want: "of-the-file"},
		{name: "pair with a file, openai's is not sent", file: "[model]\nkey_file = '" + keyFile + "'\nbase_url = 'http://a/v1'", env: openai, want: "of-the-key-file"},
		{name: "pair, npdb's is", file: pair, env: both, want: "of-npdb"},
		{name: "pair, another endpoint", file: pair, args: []string{"--base-url=http://b/v1"}, warned: true},
		{name: "pair, openai's endpoint", file: pair, env: map[string]string{"OPENAI_BASE_URL": "http://b/v1"}, warned: true},
		{name: "pair, another endpoint and key", file: pair, env: openai, args: []string{"--base-url=http://b/v1"}, want: "of-openai"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := load(t, tt.file, tt.env, tt.args...)
			if err != nil {
				t.Fatal(err)
			}
			if c.Model.Key != tt.want {
				t.Errorf("the key is %q, want %q", c.Model.Key, tt.want)
			}
			if warned := len(c.Warnings) > 0; warned != tt.warned {
				t.Errorf("warnings %q", c.Warnings)
			}
			if (c.from[keyKey] == "") != (tt.want == "") {
				t.Errorf("the key comes from %q", c.from[keyKey])
			}
		})
	}
}

// TestConfigHeaders checks that headers are sent only to the endpoint with which they were
// configured.
func TestConfigHeaders(t *testing.T) {
	const (
		alone = "[model]\nheaders = ['X-Token: s3cret']\n"
		pair  = alone + "base_url = 'http://a/v1'\n"
	)
	for _, tt := range []struct {
		name, file string
		env        map[string]string
		args       []string
		sent       bool
	}{
		{name: "alone", file: alone, args: []string{"--base-url=http://b/v1"}, sent: true},
		{name: "pair", file: pair, sent: true},
		{name: "pair with a key of its own", file: pair + "key = 'k'\n", sent: true},
		{name: "another endpoint", file: pair, args: []string{"--base-url=http://b/v1"}},
		{name: "npdb's variable", file: pair, env: map[string]string{"NPDB_BASE_URL": "http://b/v1"}},
		{name: "openai's variable", file: pair, env: map[string]string{"OPENAI_BASE_URL": "http://b/v1"}},
		{name: "another endpoint and key", file: pair, env: map[string]string{"NPDB_KEY": "k"}, args: []string{"--base-url=http://b/v1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := load(t, tt.file, tt.env, tt.args...)
			if err != nil {
				t.Fatal(err)
			}
			headers, err := c.Model.HeaderFields()
			if err != nil {
				t.Fatal(err)
			}
			if sent := headers["X-Token"] != ""; sent != tt.sent {
				t.Errorf("headers %v", headers)
			}
			if warned := strings.Contains(strings.Join(c.Warnings, "\n"), "headers"); warned == tt.sent || strings.Contains(strings.Join(c.Warnings, ""), "s3cret") {
				t.Errorf("warnings %q", c.Warnings)
			}
		})
	}
}

// TestConfigKeyMistakes checks the error for an invalid key, header or key file, and that the error
// does not contain the secret.
func TestConfigKeyMistakes(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte(" \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		file string
		env  map[string]string
		want string
	}{
		{"[model]\nkey = 5553141", nil, "model.key: a string is wanted"},
		{"[model]\nkey = \"s3cret\\nx\"", nil, "model.key: this is no key"},
		{"[model]\nheaders = [\"X: s3cret\\nx\"]", nil, "item 1 is no header"},
		{"[model]\nheaders = \"X: s3cret\"", nil, "a list of strings is wanted"},
		{"[model]\nkey = 's3cret'\nkey_file = 'x'", nil, "key and key_file are both set"},
		{"[model]\nkey_file = 'nowhere'", nil, "model.key_file: the key cannot be read: open "},
		{"", map[string]string{"NPDB_KEY_FILE": empty}, "NPDB_KEY_FILE: " + empty + " is empty"},
		{"[model]\nbase_url = 'http://u:s3cret@[x/v1'", nil, "model.base_url: it is no address"},
	} {
		_, err := load(t, tt.file, tt.env)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.file, err, tt.want)
		} else if text := err.Error(); strings.Contains(text, "s3cret") || strings.Contains(text, "5553141") {
			t.Errorf("the key is shown: %v", err)
		}
	}
}

// TestFilesBesideConfig checks that a relative path in the file starts at the file's folder, and
// one in an environment variable at the current folder.
func TestFilesBesideConfig(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(path, []byte("[model]\nsystem = \"mine.txt\"\ntokenizer = \"/w/tokenizer.model\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(pflag.NewFlagSet("", pflag.ContinueOnError), path)
	if err != nil {
		t.Fatal(err)
	}
	if c.Model.System != filepath.Join(dir, "mine.txt") || c.Model.Tokenizer != "/w/tokenizer.model" {
		t.Errorf("%q, %q", c.Model.System, c.Model.Tokenizer)
	}
	t.Setenv("NPDB_SYSTEM", "other.txt")
	if c, err = Load(pflag.NewFlagSet("", pflag.ContinueOnError), path); err != nil || c.Model.System != "other.txt" {
		t.Errorf("%q, %v", c.Model.System, err)
	}
}
