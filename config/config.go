// Package config is npdb's configuration: what can be set, how flags, the environment
// and a file set it, and what is said of a setting that is wrong.
package config

import (
	"time"

	"github.com/npdb/npdb/tui/keys"
)

//go:generate go test -run TestReference -update

// Config is the configuration. A field's tags say which key of the file it is
// (mapstructure), which variables of the environment (env, the first that is set
// counts) and which flag (flag; arg names its operand) win over the file, what it
// is when none of them speaks (default), and which words it may be (oneof). Its
// comment is the text of docs/configuration.md and of the help: up to the first full
// stop it says what the setting is.
type Config struct {
	// Where states come from: "neural" asks the model and runs nothing, "real" has
	// CPython run the program, "both" has the model walk beside CPython. Without an
	// endpoint the model that npdb carries is asked. Unset, it is neural where an
	// endpoint is configured, both where a second model is, and real where neither is.
	Mode string `mapstructure:"mode" env:"NPDB_MODE" flag:"mode" arg:"mode" oneof:"neural real both"`
	// The Python interpreter that runs programs. Unset, it is that of the active
	// virtual environment, python3 or python.
	Python string `mapstructure:"python" env:"NPDB_PYTHON" flag:"python" arg:"interpreter"`
	// The Python version whose frames a model predicts, for example "3.11": before 3.12 a list,
	// set or dict comprehension is a frame. Unset, npdb reads it from pyvenv.cfg, pyenv or the
	// interpreter's path, without running the interpreter.
	PythonVersion string `mapstructure:"python_version" env:"NPDB_PYTHON_VERSION" flag:"python-version" arg:"version"`
	// Globs of files to step into besides the program's folder. `*` and `?` stay within
	// a folder, `**` does not; a glob that does not begin at the root is for the end of
	// a path, and one for a folder for all in it. The flag --user-code adds to them.
	UserCode []string `mapstructure:"user_code"`
	// Globs of files to step over, as user_code has them. The flag --library-code adds
	// to them.
	LibraryCode []string `mapstructure:"library_code"`
	// Regular expressions (Go's syntax) of texts that a model is not told: string literals
	// and values in which one matches are '<redacted>' to it. Unset, they are those of
	// well-known keys, private keys, JSON Web Tokens and passwords in addresses; [] is none.
	Redact []string `mapstructure:"redact"`
	// Regular expressions of names whose values a model is not told either. They are held
	// against names in small letters with a _ between their words: api_key for apiKey. Unset,
	// they are password, secret, token, api_key, private_key, credential, auth and their like
	// at the end of a name; [] is none.
	RedactNames []string `mapstructure:"redact_names"`
	// Which models are told less: "away", those that are not at this machine, "all", or
	// "none".
	RedactFor string `mapstructure:"redact_for" env:"NPDB_REDACT_FOR" default:"away" oneof:"away all none"`
	// A number that seeds the program's random module before it starts, so that it
	// draws the same each time. Random numbers from elsewhere (secrets, os.urandom,
	// uuid, numpy) are not touched. Unset, Python seeds it.
	RandomSeed *int64 `mapstructure:"random_seed" env:"NPDB_RANDOM_SEED" flag:"random-seed" arg:"number"`
	// After how many events npdb looks at everything once, to hold what it takes a line
	// to have changed against what is there. A line that changed something else is named,
	// and looked at closely from then on; 1 finds each and is slow, 0 looks never. Unset,
	// looking takes 2% of the time that is recorded.
	Audit *int `mapstructure:"audit" env:"NPDB_AUDIT" flag:"audit" arg:"events"`
	// When a recording calls a __repr__ of the program. "asked": only where you print a value
	// (p, display); elsewhere an object is shown by its attributes. "stops": also at each stop
	// at the live edge, for the objects in the locals. "always": whenever its text may have
	// changed, which costs time and may change what the program does.
	// "auto": "always" beside a model, which was trained on these texts, otherwise "asked".
	Reprs string `mapstructure:"reprs" env:"NPDB_REPRS" flag:"reprs" arg:"when" default:"auto" oneof:"auto asked stops always"`
	// The colors of the screen: one of npdb's themes, of chroma's styles or of your
	// own; npdb themes lists them. Without -dark or -light at its end the terminal's
	// background decides.
	Theme string `mapstructure:"theme" env:"NPDB_THEME" flag:"theme" arg:"name" default:"npdb"`
	// Which keys do what: "default", "pudb" or one of your own profiles; npdb keys
	// lists them.
	KeyProfile string `mapstructure:"key_profile" env:"NPDB_KEY_PROFILE" flag:"key-profile" arg:"name" default:"default"`
	// Whether npdb takes the mouse from the start. Where it does not, the terminal
	// selects text with it; the key % switches.
	Mouse bool `mapstructure:"mouse" env:"NPDB_MOUSE" default:"true"`
	// Whether the values of a line's names stand at its end from the start. The key
	// i switches.
	LineValues bool `mapstructure:"line_values" env:"NPDB_LINE_VALUES" default:"true"`
	// Whether the screen asks before it runs the program again from its start.
	Confirm bool `mapstructure:"confirm" env:"NPDB_CONFIRM" default:"true"`
	// Whether the command line of the screen remembers commands from one session to
	// the next. Those that begin with a space are never kept.
	CommandHistory bool `mapstructure:"command_history" env:"NPDB_COMMAND_HISTORY" default:"true"`
	// Keys of your own, on top of the profile's: a table of lists, each under the
	// name of an action of docs/keys.md, [] for none.
	Keys map[string][]string `mapstructure:"keys"`
	// Key profiles of your own: tables with a name, the profile that each starts
	// from (base), and its keys.
	Profiles []Profile `mapstructure:"profiles"`

	// What a recording may take; a program that reaches events or memory is paused.
	Limits Limits `mapstructure:"limits"`
	// The model that predicts, and the server it is asked on.
	Model Model `mapstructure:"model"`
	// Another model, to take CPython's place in both modes.
	Against Against `mapstructure:"against"`
}

// Limits are what a recording may take.
type Limits struct {
	// How many states are recorded before the program is paused.
	Events int `mapstructure:"events" env:"NPDB_MAX_EVENTS" flag:"max-events" arg:"events" default:"20000000"`
	// How much memory they take before it is, such as "512MB".
	Memory ByteSize `mapstructure:"memory" env:"NPDB_MAX_MEMORY" flag:"max-memory" arg:"memory" default:"4GiB"`
	// How many times as long as everything else, the program included, looking at more
	// than 1000 objects after a line may take. Half a second of it is free; beyond that
	// what a line changed in them is recorded in part or late, and npdb says so. 0 is no
	// bound.
	Slowdown float64 `mapstructure:"slowdown" env:"NPDB_SLOWDOWN" flag:"slowdown" arg:"times" default:"2"`
}

// Model says which model predicts, and how it is asked.
type Model struct {
	// The address of an OpenAI-compatible server, such as
	// "http://127.0.0.1:8000/v1", or of a socket, "unix:///run/model.sock". It is
	// what makes an endpoint configured. Unset, the model that npdb carries is asked;
	// of this section max_tokens, temperature, top_p and seed are for it as well.
	BaseURL string `mapstructure:"base_url" env:"NPDB_BASE_URL OPENAI_BASE_URL" flag:"base-url" arg:"url"`
	// The model's name on that server. Unset, it is the first that the server lists.
	Name string `mapstructure:"name" env:"NPDB_MODEL" flag:"model" arg:"name"`
	// The key the server asks for. Better kept in the environment or in a file of
	// its own; a configuration that holds one should be readable by you alone
	// (chmod 600), and npdb says so when it is not.
	Key string `mapstructure:"key" env:"NPDB_KEY OPENAI_API_KEY"`
	// A file that holds the key and nothing else.
	KeyFile string `mapstructure:"key_file" env:"NPDB_KEY_FILE" flag:"key-file" arg:"file"`
	// Whether a program's source and values may be sent to a server that is not at this
	// machine: "ask" asks once for each server and project, "always" and "never" ask
	// nothing. Given as a flag, --send ask asks again what was answered before.
	Send string `mapstructure:"send" env:"NPDB_SEND" flag:"send" arg:"when" default:"ask" oneof:"ask always never" json:"-"`
	// Opens no connection but to this machine: a server elsewhere is refused at once. What
	// the program that is debugged does by itself is not touched.
	Offline bool `mapstructure:"offline" env:"NPDB_OFFLINE" flag:"offline" json:"-"`

	// The most tokens of a text and its reply together. 0 asks the server.
	Window int `mapstructure:"window" env:"NPDB_WINDOW" default:"0"`
	// The most tokens of one reply. A state with many locals is long.
	MaxTokens int `mapstructure:"max_tokens" env:"NPDB_MAX_TOKENS" flag:"max-tokens" arg:"tokens" default:"2048"`
	// How freely replies are drawn: 0 takes the likeliest token each time.
	Temperature float64 `mapstructure:"temperature" env:"NPDB_TEMPERATURE" flag:"temperature" arg:"number" default:"0"`
	// Draws from the likeliest tokens that have this probability together. Unset,
	// the server decides, and npdb's own model draws from all.
	TopP *float64 `mapstructure:"top_p" env:"NPDB_TOP_P"`
	// Makes draws repeatable, of npdb's own model and on servers that heed it. Unset,
	// none is sent.
	Seed *int64 `mapstructure:"seed" env:"NPDB_SEED" flag:"seed" arg:"number"`
	// How long one request may take, such as "90s" or "5m".
	Timeout time.Duration `mapstructure:"timeout" env:"NPDB_TIMEOUT" flag:"timeout" arg:"duration" default:"2m"`
	// How long a reply may pause between two pieces, the first one included.
	IdleTimeout time.Duration `mapstructure:"idle_timeout" env:"NPDB_IDLE_TIMEOUT" default:"30s"`
	// How often a request that failed for a passing reason is sent again.
	Retries int `mapstructure:"retries" env:"NPDB_RETRIES" default:"2"`
	// Asks for the probability of each token, from which npdb shows how sure the
	// model is.
	Logprobs bool `mapstructure:"logprobs" env:"NPDB_LOGPROBS" default:"true"`

	// Has a model that is asked by chat say itself how sure it is, once its server has told no
	// probabilities. It is shown as the model's own word. Not with logprobs = false, nor with
	// samples.
	OwnWord bool `mapstructure:"own_word" env:"NPDB_OWN_WORD" default:"true" json:"-"`
	// How many answers the model gives to each question: the one that is shown, and samples
	// beside it, drawn by chance. Of each part of the state npdb says how many agree with what
	// is shown. Each is written for itself, which costs what it costs; one is no sample.
	Samples int `mapstructure:"samples" env:"NPDB_SAMPLES" flag:"samples" arg:"answers" default:"1" json:"-"`
	// How many states one reply may hold, of a model that is asked by chat: the one that is
	// asked for, and the next ones of the same step, which then take no request. It saves most
	// of what a hosted model costs and takes for a walk; what is written of it and not walked
	// to is in vain. One at a time with samples.
	Stops int `mapstructure:"stops" env:"NPDB_STOPS" flag:"stops" arg:"states" default:"1" json:"-"`

	// How many of the likely next moves npdb prefetches while you read: 1 is the likeliest
	// alone, 2 are step into and step over, 0 is none. The default is 2 for a server on this
	// machine when commands come from a terminal. It is 0 for a server elsewhere, where unused
	// replies may cost money, and for the model that npdb carries, which is fast and runs on
	// the same processors as your program.
	Prefetch *int `mapstructure:"prefetch" env:"NPDB_PREFETCH" flag:"prefetch" arg:"moves"`
	// How many of them are requested at the same time. More than one is for a server that
	// answers several requests as fast as one.
	PrefetchAtOnce int `mapstructure:"prefetch_at_once" env:"NPDB_PREFETCH_AT_ONCE" default:"1"`
	// How many tokens a session may spend on prefetched replies that no move uses. After that
	// npdb stops prefetching. Tokens read and written both count. For cancelled requests, and
	// for servers that report no usage, npdb estimates three bytes of text per token. 0 is no
	// limit.
	PrefetchTokens int `mapstructure:"prefetch_tokens" env:"NPDB_PREFETCH_TOKENS" default:"0"`

	// What a million tokens of the prompt cost, for npdb to say what a session did. Both
	// this and price_completion are needed.
	PricePrompt *float64 `mapstructure:"price_prompt" env:"NPDB_PRICE_PROMPT"`
	// What a million tokens of the prompt cost that the server had in its cache. Unset,
	// they cost what others do.
	PriceCached *float64 `mapstructure:"price_cached" env:"NPDB_PRICE_CACHED"`
	// What a million tokens cost that the model wrote.
	PriceCompletion *float64 `mapstructure:"price_completion" env:"NPDB_PRICE_COMPLETION"`
	// The currency of the prices, as it is to be shown.
	Currency string `mapstructure:"currency" env:"NPDB_CURRENCY" default:"USD"`

	// How the model is asked: by "nd1", texts that a model has to be trained on, by
	// "cwm", traces of the Code World Model's, or by "chat", which any chat model can
	// try. "auto" asks by cwm where the model's name says so, else begins with nd1 and
	// goes over to chat where there is none, and remembers it.
	Dialect string `mapstructure:"dialect" env:"NPDB_DIALECT" flag:"dialect" arg:"dialect" default:"auto" oneof:"auto nd1 chat cwm"`
	// How the text is sent: "text", or "ids" for token ids, which the server's
	// /tokenize makes.
	Prompt string `mapstructure:"prompt" env:"NPDB_PROMPT" default:"text" oneof:"text ids"`
	// A file with the system message of chats, in place of npdb's own
	// (dsl/chat/system.txt): what the model is told of its task and of the form of its
	// answers. npdb eval measures what it is worth.
	System string `mapstructure:"system" env:"NPDB_SYSTEM"`
	// The file tokenizer.model of the Code World Model's weights, for servers that tell
	// no token ids: its own fgserve.
	Tokenizer string `mapstructure:"tokenizer" env:"NPDB_TOKENIZER"`
	// Ids of tokens to stop at besides the text of frame_sep. nd/1's own
	// frame_sep is 128100 in the vocabulary of CWM.
	StopTokenIDs []int `mapstructure:"stop_token_ids"`
	// Whether the server puts its beginning-of-text token before the prompt.
	// Unset, the server decides.
	AddSpecialTokens *bool `mapstructure:"add_special_tokens" env:"NPDB_ADD_SPECIAL_TOKENS"`
	// How the model's vocabulary spells the tokens of nd/1, for a model that was
	// trained with other names: frame_sep = "<|reserved_special_token_1|>". Tokens
	// that are not listed keep the names of docs/nd1.md.
	Tokens map[string]string `mapstructure:"tokens"`
	// Further fields of the request's body, as the text of one JSON object, such as
	// '{"priority": 1}'. They win over what npdb sends itself; null leaves out a
	// field that a server refuses.
	Extra JSONObject `mapstructure:"extra" env:"NPDB_EXTRA"`
	// Further headers of the request, each as "Name: value". npdb shows their names
	// only.
	Headers []string `mapstructure:"headers"`
}

// Against is the second model. How it is asked is as the model section says.
type Against struct {
	// The address of the server of a second model, which takes CPython's place in
	// both modes: the models are compared with each other, and nothing is run. Unset,
	// it is that of the model.
	BaseURL string `mapstructure:"base_url" env:"NPDB_AGAINST" flag:"against" arg:"url"`
	// The second model's name on its server. Unset, it is the first that the server
	// lists.
	Name string `mapstructure:"name" env:"NPDB_AGAINST_MODEL" flag:"against-model" arg:"name"`
	// A file that holds the key its server asks for. The model's own server gets the
	// model's own key.
	KeyFile string `mapstructure:"key_file" env:"NPDB_AGAINST_KEY_FILE"`
}

// Profile is a keys.Profile as the file has it.
type Profile struct {
	Name string              `mapstructure:"name"`
	Base string              `mapstructure:"base"`
	Keys map[string][]string `mapstructure:"keys"`
}

// Where states come from.
const (
	ModeNeural = "neural"
	ModeReal   = "real"
	ModeBoth   = "both"
)

// TwoModels reports whether a second model takes CPython's place.
func (c Config) TwoModels() bool { return c.Against.BaseURL != "" || c.Against.Name != "" }

// DefaultMode returns where states come from: what was set, and otherwise the model
// where there is an endpoint to ask it on, or two of them beside each other.
func (c Config) DefaultMode() string {
	switch {
	case c.Mode != "":
		return c.Mode
	case c.TwoModels():
		return ModeBoth
	case c.Model.BaseURL != "":
		return ModeNeural
	}
	return ModeReal
}

// KeyMap makes the screen's bindings of the configuration.
func (c Config) KeyMap() (*keys.Map, error) {
	return keys.New(c.KeyProfile, c.profiles(), c.Keys)
}

// KeyProfiles returns the names that key_profile can be.
func (c Config) KeyProfiles() []string { return keys.ProfileNames(c.profiles()) }

// profiles returns the key profiles of the configuration.
func (c Config) profiles() []keys.Profile {
	own := make([]keys.Profile, len(c.Profiles))
	for i, p := range c.Profiles {
		own[i] = keys.Profile(p)
	}
	return own
}
