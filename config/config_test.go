package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/tui/keys"
)

// load loads a configuration with this text of the file, these environment variables and flags.
func load(t *testing.T, file string, env map[string]string, args ...string) (*Loaded, error) {
	t.Helper()
	for _, s := range settings {
		for _, name := range s.Env {
			t.Setenv(name, env[name])
		}
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	fs := pflag.NewFlagSet("npdb", pflag.ContinueOnError)
	AddFlags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return Load(fs, path)
}

func TestConfigPrecedence(t *testing.T) {
	const file = "python = 'of the file'\n[model]\ntemperature = 0.25\n"
	env := map[string]string{"NPDB_PYTHON": "of the environment", "NPDB_TEMPERATURE": "0.5"}
	for _, tt := range []struct {
		name, file  string
		env         map[string]string
		args        []string
		python      string
		temperature float64
		from        string // origin of the setting python
	}{
		{"defaults", "", nil, nil, "", 0, ""},
		{"file", file, nil, nil, "of the file", 0.25, "config.toml"},
		{"environment over file", file, env, nil, "of the environment", 0.5, "NPDB_PYTHON"},
		{"flag over all", file, env, []string{"--python=of the flag", "--temperature=0"}, "of the flag", 0, "--python"},
		{"an empty flag, too", file, env, []string{"--python="}, "", 0.5, "--python"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := load(t, tt.file, tt.env, tt.args...)
			if err != nil {
				t.Fatal(err)
			}
			if c.Python != tt.python || c.Model.Temperature != tt.temperature {
				t.Errorf("python %q, temperature %v; want %q, %v", c.Python, c.Model.Temperature, tt.python, tt.temperature)
			}
			if from := c.from["python"]; filepath.Base("/"+from) != filepath.Base("/"+tt.from) {
				t.Errorf("python comes from %q, want %q", from, tt.from)
			}
		})
	}
}

// TestConfigValues checks a file that sets every setting.
func TestConfigValues(t *testing.T) {
	c, err := load(t, `
mode = "real"
python = "py"
python_version = "3.11"
user_code = ["a/**"]
library_code = ["b/**", "c"]
redact = ["sk-[a-z]+"]
redact_names = []
redact_for = "all"
random_seed = -3
audit = 7
reprs = "asked"
record = "budget"
thread = "W"
children = true
theme = "Nord"
key_profile = "Mine"
mouse = false
line_values = false
confirm = false
command_history = false
keep_breakpoints = false
[keys]
next = ["n", "N", "F10"]
next-back = []
[[profiles]]
name = "Mine"
base = "pudb"
keys = {Quit = ["Q"]}
[limits]
events = 1_000
budget = 2_000
memory = "512MB"
slowdown = 0.5
[model]
base_url = "http://127.0.0.1:8000/v1"
name = "Nd-32B"
key = "k"
send = "never"
offline = true
window = 16384
max_tokens = 99
temperature = 1
top_p = 0.9
seed = 0
timeout = "90s"
idle_timeout = "2s"
retries = 0
logprobs = false
prefetch = 0
samples = 5
stops = 8
compute = "on"
own_word = false
prefetch_at_once = 3
prefetch_tokens = 5000
price_prompt = 2
price_cached = 0.5
price_completion = 8
currency = "EUR"
dialect = "chat"
prompt = "ids"
system = "/Prompts/system.txt"
tokenizer = "/Weights/tokenizer.model"
stop_token_ids = [128100, 7]
add_special_tokens = false
extra = '{"Priority": {"Of Mine": 1}}'
headers = ["X-Team: Red: one", "x-team: blue"]
[model.tokens]
Frame_Sep = "<|Reserved_1|>"
[against]
base_url = "http://127.0.0.1:9000/v1"
name = "Other"
key_file = "/keys/other"
[why]
base_url = "http://127.0.0.1:9100/v1"
name = "Wise"
key_file = "/keys/wise"
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	topP, seed, random, add, audit, prefetch := 0.9, int64(0), int64(-3), false, 7, 0
	prompt, cached, completion := 2.0, 0.5, 8.0
	want := Config{
		Mode: "real", Python: "py", PythonVersion: "3.11", UserCode: []string{"a/**"}, LibraryCode: []string{"b/**", "c"}, Redact: []string{"sk-[a-z]+"}, RedactNames: []string{}, RedactFor: "all",
		RandomSeed: &random, Audit: &audit, Reprs: "asked", Record: "budget", Thread: "W", Children: true, Theme: "Nord", KeyProfile: "Mine", Keys: map[string][]string{"next": {"n", "N", "F10"}, "next-back": {}},
		Profiles: []keys.Profile{{Name: "Mine", Base: "pudb", Keys: map[string][]string{"quit": {"Q"}}}},
		Limits:   Limits{Events: 1000, Budget: 2000, Memory: 512_000_000, Slowdown: 0.5},
		Model: Model{
			BaseURL: "http://127.0.0.1:8000/v1", Name: "Nd-32B", Key: "k", Send: "never", Offline: true,
			Window: 16384, MaxTokens: 99, Temperature: 1, TopP: &topP, Seed: &seed,
			Timeout: 90 * time.Second, IdleTimeout: 2 * time.Second, Logprobs: false, Dialect: "chat", Prompt: "ids", System: "/Prompts/system.txt", Tokenizer: "/Weights/tokenizer.model",
			Samples: 5, Stops: 8, Compute: "on", Prefetch: &prefetch, PrefetchAtOnce: 3, PrefetchTokens: 5000,
			PricePrompt: &prompt, PriceCached: &cached, PriceCompletion: &completion, Currency: "EUR",
			StopTokenIDs: []int{128100, 7}, AddSpecialTokens: &add,
			Extra: `{"Priority": {"Of Mine": 1}}`, Headers: []string{"X-Team: Red: one", "x-team: blue"},
			Tokens: map[string]string{"frame_sep": "<|Reserved_1|>"},
		},
		Against: Against{BaseURL: "http://127.0.0.1:9000/v1", Name: "Other", KeyFile: "/keys/other"},
		Why:     Why{BaseURL: "http://127.0.0.1:9100/v1", Name: "Wise", KeyFile: "/keys/wise"},
	}
	if !reflect.DeepEqual(c.Config, want) {
		t.Errorf("read\n%+v\nwant\n%+v", c.Config, want)
	}
	for _, s := range settings {
		if c.from[s.Key] == "" && s.Key != KeyKeyFile {
			t.Errorf("%s is not tested here", s.Key)
		}
	}
}

// TestConfigMistakes checks that the error for an invalid setting is one line, with the setting's
// origin and what to do.
func TestConfigMistakes(t *testing.T) {
	for _, tt := range []struct {
		file string
		env  map[string]string
		args []string
		want string
	}{
		{file: "pyton = 1", want: "config.toml: pyton: did you mean python?"},
		{file: "[model]\nbase_ur = 'x'", want: "base_ur: did you mean base_url?"},
		{file: "base_url = 'x'", want: "there is no setting base_url; base_url belongs under [model]"},
		{file: "[model]\nmode = 'real'", want: "mode belongs at the top of the file"},
		{file: "[modell]\nname = 'x'", want: "name belongs under [model]"},
		{file: "[modell]\nnames = 'x'", want: "modell.names: did you mean model.name?"},
		{file: "model = 'x'", want: "model is a section: write [model]"},
		{file: "colour = 'x'\nshape = 'y'", want: "there is no setting colour; npdb config --help lists them; there is no setting shape"},
		{file: "python = 3", want: "python: 3 is a number: a string is wanted"},
		{file: "user_code = 'x'", want: `user_code: "x" is text: a list of strings is wanted`},
		{file: "user_code = ['x', 1]", want: "user_code: item 2: 1 is a number: a string is wanted"},
		{file: "mode = 'nural'", want: `mode: there is no "nural": did you mean neural?`},
		{file: "mode = 'x'", want: `mode: there is no "x": it is neural or real`},
		{file: "redact = ['(']", want: "redact: item 1 is no regular expression"},
		{file: "redact_names = ['a', '[']", want: "redact_names: item 2 is no regular expression"},
		{file: "redact_for = 'al'", want: "did you mean all?"},
		{file: "redact = ['x*']", want: `redact: item 1, "x*", matches where nothing is`},
		{file: "theme = 'colorblnd'", want: `theme: there is no theme "colorblnd": did you mean "colorblind"?`},
		{file: "mouse = 'off'", want: `mouse: "off" is text: true or false is wanted`},
		{file: "key_profile = 'puddb'", want: `key_profile: there is no profile "puddb": did you mean "pudb"?`},
		{file: "[keys]\nnext = ['s']", want: `keys: key "s" is bound to both step and next`},
		{file: "[keys]\nnxet = ['n']\nstep = ['foo+s']", want: `keys: there is no action "nxet": did you mean "next"?; `},
		{file: "[keys]\nnext = 'n'", want: `keys: next: "n" is text: a list of strings is wanted`},
		{file: "keys = ['n']", want: `keys: ["n"] is a list: a table of lists is wanted`},
		{file: "[[profiles]]\nname = 'a'\nkeys = {next = ['s']}", want: "profiles: key \"s\" is bound to both"},
		{file: "[[profiles]]\nname = 'a'\nbse = 'pudb'", want: "profiles: item 1: bse: did you mean base?"},
		{file: "[[profiles]]\nbase = 'pudb'", want: "profiles: key profile \"\": a profile needs a name"},
		{file: "theme = {}", want: "theme: {} is a table: a string is wanted"},
		{file: "[keys]\n'a.b' = ['n']", want: `keys: there is no action "a.b"`},
		{file: "[[profiles]]\nname = 'a'\nkeys = {next = ['n', 2]}", want: "profiles: item 1: keys: next: item 2: 2 is a number: a string is wanted"},
		{file: "[profiles]\nname = 'a'", want: "there is no setting profiles.name: profiles is no section"},
		{file: "profiles = 'a'", want: `profiles: "a" is text: a list of tables is wanted`},
		{env: map[string]string{"NPDB_THEME": "norrd"}, want: `NPDB_THEME: there is no theme "norrd": did you mean "nord"?`},
		{file: "[limits]\nevents = 1.5", want: "limits.events: 1.5 is a number: a whole number is wanted"},
		{file: "[limits]\nevents = '5'", want: `limits.events: "5" is text: a whole number is wanted`},
		{file: "[limits]\nevents = -1", want: "limits.events: -1 is too small"},
		{file: "[limits]\nslowdown = -1", want: "limits.slowdown: -1 is too small"},
		{file: "reprs = 'never'", want: `reprs: there is no "never": it is auto or asked or stops or always`},
		{file: "audit = -1", want: "audit: -1 is too small"},
		{file: "[model]\nprice_prompt = 2", want: "model.price_prompt: no cost is known without price_completion: set that, too"},
		{file: "[model]\nprice_cached = 2", want: "model.price_cached: no cost is known without price_prompt"},
		{file: "[model]\nprice_prompt = 2\nprice_completion = -1", want: "model.price_completion: -1 is too small"},
		{args: []string{"--prefetch=-1"}, want: "--prefetch: -1 is too small"},
		{args: []string{"--prefetch=3"}, want: "--prefetch: 3 is too many: 2 is step into and step over"},
		{file: "[model]\nsamples = -1", want: "model.samples: -1 is too small"},
		{file: "[model]\nstops = 0", want: "model.stops: 0 is too small"},
		{file: "[model]\nstops = 65", want: "model.stops: 65 is too many: 64 is the most"},
		{file: "[model]\nsamples = 101", want: "model.samples: 101 is too many: 100 is the most"},
		{file: "[model]\nstop_token_ids = [1, -3]", want: "model.stop_token_ids: item 2: -3 is too small: 0 is the least"},
		{file: "profiles = [1979-05-27]", want: "profiles: item 1: 1979-05-27 is a date or time: a table is wanted"},
		{file: "[keys]\nnext = {a = 'x'}", want: `keys: next: {a = "x"} is a table: a list of strings is wanted`},
		{file: "[model]\nprefetch_at_once = 0", want: "model.prefetch_at_once: 0 is too small"},
		{file: "[model]\nprefetch_tokens = -1", want: "model.prefetch_tokens: -1 is too small"},
		{file: "audit = 'often'", want: `audit: "often" is text: a whole number is wanted`},
		{file: "[limits]\nmemory = 5", want: "limits.memory: 5 is a number: an amount of memory"},
		{file: "[limits]\nmemory = 'lots'", want: `limits.memory: "lots" is no amount of memory`},
		{file: "[model]\ntimeout = 30", want: "model.timeout: 30 is a number: a duration with its unit"},
		{file: "[model]\ntemperature = nan", want: "model.temperature: NaN is a number: a number is wanted"},
		{file: "[model]\ntop_p = 2", want: "model.top_p: 2 is no probability"},
		{file: "[model]\nlogprobs = 1", want: "model.logprobs: 1 is a number: true or false is wanted"},
		{file: "[model]\nbase_url = 'localhost:8000'", want: "model.base_url: it is no address of a server"},
		{file: "[model]\nextra = '[1]'", want: `model.extra: "[1]" is no JSON object`},
		{file: "[model]\nextra = '{} {}'", want: "is no JSON object: one object is wanted"},
		{file: "[model.extra]\nx = 1", want: "there is no setting model.extra.x"},
		{file: "[model]\nheaders = ['X Team: red']", want: "model.headers: item 1 is no header"},
		{file: "[model.tokens]\nfrane_sep = '<|x|>'", want: "model.tokens: "},
		{file: "[model.tokens]\nframe_sep = 1", want: "model.tokens: frame_sep: 1 is a number: a string is wanted"},
		{file: "mode = 'real'\nx = ", want: "config.toml:2:"},
		{file: "a = 1\na = 2", want: "cannot be read"},
		{env: map[string]string{"NPDB_TEMPERATURE": "hot"}, want: `NPDB_TEMPERATURE: "hot" is text: a number is wanted`},
		{env: map[string]string{"NPDB_MODE": "rael"}, want: `NPDB_MODE: there is no "rael": did you mean real?`},
		{env: map[string]string{"OPENAI_BASE_URL": "ftp://x"}, want: "OPENAI_BASE_URL: it is no address of a server"},
		{args: []string{"--timeout=-1s"}, want: `--timeout: "-1s" is no duration`},
		{args: []string{"--timeout=0s"}, want: "--timeout: no time at all"},
		{args: []string{"--max-tokens=0"}, want: "--max-tokens: 0 is too small"},
		{args: []string{"--seed=1.5"}, want: `--seed: "1.5" is text: a whole number is wanted`},
	} {
		_, err := load(t, tt.file, tt.env, tt.args...)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q %v %v:\n%v\nwant %q", tt.file, tt.env, tt.args, err, tt.want)
		}
	}
}

// TestWanted checks that the error for a wrong value can describe the expected value for every
// setting.
func TestWanted(t *testing.T) {
	for _, s := range settings {
		if f := formOf(s.typ); f.json == "" || f.one == "" || strings.HasSuffix(f.one, " of ") {
			t.Errorf("nothing is said of %s, a %v", s.Key, s.typ)
		}
	}
}

// TestRows checks that Rows returns the settings in effect with their origins, and no secret.
func TestRows(t *testing.T) {
	c, err := load(t, "theme = 'nord'\n[[profiles]]\nname = 'mine'\n[keys]\nnext = ['n', 'f12']\n[model]\ntokens = {frame_sep = '<|f|>'}\nbase_url = 'http://u:s3cret@a/v1?key=s3cret'\nkey = 's3cret'\nheaders = ['X-Token: s3cret']\n[against]\nbase_url = 'http://u:s3cret@b/v1'\n[why]\nbase_url = 'http://u:s3cret@c/v1'\n", map[string]string{"NPDB_SEED": "7"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Row{}
	for _, row := range c.Rows() {
		got[row.Key] = row
	}
	for key, want := range map[string]Row{
		"theme":         {Value: `"nord"`, From: c.path, Set: true},
		"profiles":      {Value: `["mine"]`, From: c.path, Set: true},
		"keys":          {Value: `{next = ["n", "f12"]}`, From: c.path, Set: true},
		"model.tokens":  {Value: `{frame_sep = "<|f|>"}`, From: c.path, Set: true},
		"model.seed":    {Value: "7", From: "NPDB_SEED", Set: true},
		"model.key":     {Value: "set", From: c.path, Set: true},
		KeyBaseURL:      {Value: `"http://xxx@a/v1?xxx"`, From: c.path, Set: true},
		keyAgainstURL:   {Value: `"http://xxx@b/v1"`, From: c.path, Set: true},
		keyWhyURL:       {Value: `"http://xxx@c/v1"`, From: c.path, Set: true},
		keyHeaders:      {Value: `["X-Token"]`, From: c.path, Set: true},
		"mouse":         {Value: "true", From: "default"},
		"mode":          {Value: "both", From: "default: an endpoint is configured"},
		"limits.memory": {Value: "4.0 GiB", From: "default"},
	} {
		if want.Key = key; got[key] != want {
			t.Errorf("%+v, want %+v", got[key], want)
		}
	}
}

func TestDefaultMode(t *testing.T) {
	for _, tt := range []struct {
		file, want string
	}{
		{"", ModeReal},
		{"[model]\nname = 'x'", ModeReal},
		{"[model]\nbase_url = 'http://a/v1'", ModeNeural},
		{"mode = 'real'\n[model]\nbase_url = 'http://a/v1'", ModeReal},
		{"mode = 'neural'", ModeNeural},
	} {
		c, err := load(t, tt.file, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.DefaultMode(); got != tt.want {
			t.Errorf("%q: the mode is %s, want %s", tt.file, got, tt.want)
		}
	}
}

// TestConfigExample checks that the examples in docs/configuration.md are valid.
func TestConfigExample(t *testing.T) {
	page, err := os.ReadFile(referencePath)
	if err != nil {
		t.Fatal(err)
	}
	examples := strings.Split(string(page), "```toml\n")[1:]
	if len(examples) != 2 {
		t.Fatalf("%d examples, there should be one of a model and one of the screen", len(examples))
	}
	for i, rest := range examples {
		example, _, _ := strings.Cut(rest, "```")
		c, err := load(t, example, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 && (c.Model.BaseURL == "" || c.Model.Name == "") || i == 1 && (c.LineValues || c.Profiles == nil) {
			t.Errorf("the example sets %+v", c.Config)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add("mode = 'real'\n[model]\nseed = 1\ntimeout = '3s'\n")
	f.Add("[model]\nextra = '{}'\nheaders = ['A: b']\ntokens = {frame_sep = '<|x|>'}\n")
	f.Add("theme = 'nord'\nmouse = true\n[keys]\nnext = ['n']\n[[profiles]]\nname = 'a'\nkeys = {quit = []}\n")
	f.Add("a.b.c = [1, 2.5, 1979-05-27, {x = []}]\n[limits]\nmemory = 1\n")
	path := filepath.Join(f.TempDir(), "config.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		fs := pflag.NewFlagSet("npdb", pflag.ContinueOnError)
		AddFlags(fs)
		c, err := Load(fs, path)
		if (c == nil) == (err == nil) {
			t.Fatalf("%v, %v", c, err)
		}
		if err != nil {
			return
		}
		_, format := dsl.NewFormat(c.Model.Tokens)
		_, headers := c.Model.HeaderFields()
		_, extra := c.Model.Extra.Fields()
		_, redact := c.Redaction()
		if err := errors.Join(format, headers, extra, redact); err != nil {
			t.Errorf("what was checked is refused later: %v", err)
		}
		for i, row := range c.Rows() {
			if row.Key != settings[i].Key || row.Value == "" || row.From == "" {
				t.Errorf("setting %d is shown as %+v", i, row)
			}
		}
	})
}

// TestByteOrderMark checks that a file may begin with the mark of some Windows editors.
func TestByteOrderMark(t *testing.T) {
	c, err := load(t, "\ufeffmode = 'both'\n", nil)
	if err != nil || c.Mode != "both" {
		t.Errorf("mode %q, %v", c.Mode, err)
	}
}
