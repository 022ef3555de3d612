// Package config defines npdb's settings, reads them from flags, the environment and a file, and
// reports invalid settings.
package config

import (
	"time"

	"github.com/npdb/npdb/tui/keys"
)

//go:generate go test -run TestReference -update

// Config holds all settings. The tags of a field define its setting: mapstructure is the key in the
// configuration file; env lists environment variables that override the file (the first one that is
// set is used); flag is the name of a flag that overrides both, and arg the flag's operand; default
// is the default value; oneof lists the allowed words; min and max are the bounds of a number (most
// describes max in error messages); path marks a path that is relative to the folder of the file.
// The field's comment is its text in docs/configuration.md; the help shows the first sentence.
type Config struct {
	// Where states come from: "neural" asks a model and runs nothing, "real" runs the
	// program in CPython, "both" puts the model beside CPython. Without an endpoint, npdb
	// asks the model that it carries. The default is neural if an endpoint is configured,
	// both if a second model is, otherwise real.
	Mode string `mapstructure:"mode" env:"NPDB_MODE" flag:"mode" arg:"mode" oneof:"neural real both"`
	// The Python interpreter that runs programs. The default is that of the active virtual
	// environment, else python3 or python.
	Python string `mapstructure:"python" env:"NPDB_PYTHON" flag:"python" arg:"interpreter"`
	// The Python version whose frames a model predicts, for example "3.11": before 3.12 a list,
	// set or dict comprehension is a frame. Unset, npdb reads it from pyvenv.cfg, pyenv or the
	// interpreter's path, without running the interpreter.
	PythonVersion string `mapstructure:"python_version" env:"NPDB_PYTHON_VERSION" flag:"python-version" arg:"version"`
	// Globs of files to step into besides the program's folder. `*` and `?` match within a
	// folder, `**` across folders. A relative glob matches the end of a path, and a glob for
	// a folder matches all files in it. The flag --user-code adds to them.
	UserCode []string `mapstructure:"user_code"`
	// Globs of files to step over, in the form of user_code. The flag --library-code adds to
	// them.
	LibraryCode []string `mapstructure:"library_code"`
	// Regular expressions (Go's syntax) of texts to hide from a model: it gets '<redacted>'
	// for string literals and values that match. The default covers well-known keys, private
	// keys, JSON Web Tokens and passwords in addresses; [] is none.
	Redact []string `mapstructure:"redact"`
	// Regular expressions of names whose values are hidden from a model. They are matched
	// against names in lower case with _ between words: api_key for apiKey. The default
	// covers names that end with password, secret, token, api_key, private_key, credential,
	// auth and the like; [] is none.
	RedactNames []string `mapstructure:"redact_names"`
	// Which models redaction applies to: "away" (models on other machines), "all" or "none".
	RedactFor string `mapstructure:"redact_for" env:"NPDB_REDACT_FOR" default:"away" oneof:"away all none"`
	// A number that seeds the program's random module before it starts, for repeatable runs.
	// Other sources of random numbers (secrets, os.urandom, uuid, numpy) are unaffected. By
	// default Python seeds it.
	RandomSeed *int64 `mapstructure:"random_seed" env:"NPDB_RANDOM_SEED" flag:"random-seed" arg:"number"`
	// After how many events npdb compares all objects with what it has recorded, to find
	// lines that change more than their source shows. npdb names such a line and watches it
	// closely from then on. 1 finds every such line and is slow, 0 turns audits off. By
	// default audits take 2% of the recording time.
	Audit *int `mapstructure:"audit" env:"NPDB_AUDIT" flag:"audit" arg:"events" min:"0"`
	// When a recording calls a __repr__ of the program. "asked": only where you print a value
	// (p, display); elsewhere an object is shown by its attributes. "stops": also at each stop
	// at the live edge, for the objects in the locals. "always": whenever its text may have
	// changed, which costs time and may change what the program does.
	// "auto": "always" beside a model, which was trained on these texts, otherwise "asked".
	Reprs string `mapstructure:"reprs" env:"NPDB_REPRS" flag:"reprs" arg:"when" default:"auto" oneof:"auto asked stops always"`
	// How much npdb records in real mode. "always": everything. "budget": each move up to a
	// budget (limits.budget and two seconds), then the program runs on at its own speed;
	// "on-demand": recording is off at the start, as after the command record off. With both, a
	// backward move into what was not recorded runs the program again with the same chance,
	// clocks and input, and records it (docs/recording.md). npdb record always records
	// everything.
	Record string `mapstructure:"record" env:"NPDB_RECORD" flag:"record" arg:"when" default:"always" oneof:"always budget on-demand"`
	// The thread to record, by the name that it has in threading when it begins, or a glob such as
	// "Worker-*", which takes the first that matches. The program runs unrecorded until that
	// thread begins; other threads are never recorded. "main" is the main thread. Real mode only.
	Thread string `mapstructure:"thread" env:"NPDB_THREAD" flag:"thread" arg:"name" default:"main"`
	// Whether the child processes that are Pythons (os.fork, subprocess, multiprocessing) are
	// recorded too, each by itself: docs/threads.md. Real mode only.
	Children bool `mapstructure:"children" env:"NPDB_RECORD_CHILDREN" flag:"children"`
	// The theme of the screen: one of npdb's, a chroma style, or your own; npdb themes lists
	// them. Unless the name ends with -dark or -light, the terminal's background decides.
	Theme string `mapstructure:"theme" env:"NPDB_THEME" flag:"theme" arg:"name" default:"npdb"`
	// The key profile: "default", "pudb" or one of your own; npdb keys lists the keys.
	KeyProfile string `mapstructure:"key_profile" env:"NPDB_KEY_PROFILE" flag:"key-profile" arg:"name" default:"default"`
	// Whether npdb uses the mouse. If not, the terminal selects text with it; the key %
	// switches.
	Mouse bool `mapstructure:"mouse" env:"NPDB_MOUSE" default:"true"`
	// Whether the ends of lines show the values of their names. The key i switches.
	LineValues bool `mapstructure:"line_values" env:"NPDB_LINE_VALUES" default:"true"`
	// Whether npdb asks before it runs the program again from the start.
	Confirm bool `mapstructure:"confirm" env:"NPDB_CONFIRM" default:"true"`
	// Whether breakpoints are kept between runs. If not, npdb neither loads nor saves them.
	KeepBreakpoints bool `mapstructure:"keep_breakpoints" env:"NPDB_KEEP_BREAKPOINTS" flag:"keep-breakpoints" default:"true"`
	// Whether the command line of the screen keeps commands between sessions. It never keeps
	// commands that begin with a space.
	CommandHistory bool `mapstructure:"command_history" env:"NPDB_COMMAND_HISTORY" default:"true"`
	// Your own keys, on top of the profile: a table of lists, each under the name of an
	// action of docs/keys.md, [] for none.
	Keys map[string][]string `mapstructure:"keys"`
	// Your own key profiles: tables with a name, the profile to start from (base), and keys.
	Profiles []keys.Profile `mapstructure:"profiles"`

	// The limits of a recording; a program that reaches events or memory is paused.
	Limits Limits `mapstructure:"limits"`
	// The model that predicts, and its server.
	Model Model `mapstructure:"model"`
	// A second model, in CPython's place in both mode.
	Against Against `mapstructure:"against"`
	// The chat model that explains states (command why).
	Why Why `mapstructure:"why"`
}

// Limits bound the size and the cost of a recording.
type Limits struct {
	// How many states npdb records before it pauses the program.
	Events int `mapstructure:"events" env:"NPDB_MAX_EVENTS" flag:"max-events" arg:"events" default:"20000000" min:"0"`
	// How many states one move records, with record = "budget", before the program runs on
	// unrecorded.
	Budget int `mapstructure:"budget" env:"NPDB_BUDGET" default:"150000" min:"1"`
	// How much memory the recording uses before npdb pauses the program, such as "512MB".
	Memory ByteSize `mapstructure:"memory" env:"NPDB_MAX_MEMORY" flag:"max-memory" arg:"memory" default:"4GiB"`
	// How much time npdb may spend on comparing more than 1000 objects after a line, as a
	// multiple of all other time. Half a second is free. Beyond the limit, changes in these
	// objects are recorded in part or late, and npdb says so. 0 is no limit.
	Slowdown float64 `mapstructure:"slowdown" env:"NPDB_SLOWDOWN" flag:"slowdown" arg:"times" default:"2" min:"0"`
}

// Model selects the model that predicts, and sets how npdb sends requests to it.
type Model struct {
	// The address of an OpenAI-compatible server, such as "http://127.0.0.1:8000/v1", or of
	// a socket, "unix:///run/model.sock". If it is unset, npdb asks the model that it
	// carries, which max_tokens, temperature, top_p and seed of this section apply to as
	// well.
	BaseURL string `mapstructure:"base_url" env:"NPDB_BASE_URL OPENAI_BASE_URL" flag:"base-url" arg:"url"`
	// The model's name on that server. The default is the first that the server lists.
	Name string `mapstructure:"name" env:"NPDB_MODEL" flag:"model" arg:"name"`
	// The key for the server. The environment or a key file is a better place for it. Only
	// you should be able to read a configuration with a key (chmod 600); npdb warns
	// otherwise.
	Key string `mapstructure:"key" env:"NPDB_KEY OPENAI_API_KEY"`
	// A file that holds the key and nothing else.
	KeyFile string `mapstructure:"key_file" env:"NPDB_KEY_FILE" flag:"key-file" arg:"file"`
	// Whether npdb may send a program's source and values to a server on another machine:
	// "ask" asks once per server and project, "always" and "never" do not ask. The flag
	// --send ask asks again.
	Send string `mapstructure:"send" env:"NPDB_SEND" flag:"send" arg:"when" default:"ask" oneof:"ask always never" json:"-"`
	// Connect to this machine only: npdb refuses any other server. It does not restrict the
	// debugged program.
	Offline bool `mapstructure:"offline" env:"NPDB_OFFLINE" flag:"offline" json:"-"`

	// The most tokens of a prompt and its reply together. 0 asks the server.
	Window int `mapstructure:"window" env:"NPDB_WINDOW" default:"0" min:"0"`
	// The most tokens of one reply. A state with many locals is long.
	MaxTokens int `mapstructure:"max_tokens" env:"NPDB_MAX_TOKENS" flag:"max-tokens" arg:"tokens" default:"2048" min:"1"`
	// The sampling temperature of replies: 0 takes the likeliest token each time.
	Temperature float64 `mapstructure:"temperature" env:"NPDB_TEMPERATURE" flag:"temperature" arg:"number" default:"0" min:"0"`
	// The total probability of the tokens to sample from. By default the server decides;
	// npdb's own model samples from all tokens.
	TopP *float64 `mapstructure:"top_p" env:"NPDB_TOP_P"`
	// The seed for sampling, for npdb's own model and for servers that support it. By
	// default none is sent.
	Seed *int64 `mapstructure:"seed" env:"NPDB_SEED" flag:"seed" arg:"number"`
	// How long one request may take, such as "90s" or "5m".
	Timeout time.Duration `mapstructure:"timeout" env:"NPDB_TIMEOUT" flag:"timeout" arg:"duration" default:"2m"`
	// How long a reply may pause between two pieces, including before the first.
	IdleTimeout time.Duration `mapstructure:"idle_timeout" env:"NPDB_IDLE_TIMEOUT" default:"30s"`
	// How often npdb repeats a request after a temporary failure.
	Retries int `mapstructure:"retries" env:"NPDB_RETRIES" default:"2" min:"0"`
	// Whether to request the probability of each token, which npdb needs to show confidence.
	Logprobs bool `mapstructure:"logprobs" env:"NPDB_LOGPROBS" default:"true"`

	// Whether to ask a chat model for its confidence if its server reports no probabilities.
	// npdb labels it as the model's own word. It has no effect with logprobs = false or with
	// samples.
	OwnWord bool `mapstructure:"own_word" env:"NPDB_OWN_WORD" default:"true" json:"-"`
	// How many answers the model gives to each question: the one that is shown, and random
	// samples beside it. For each part of the state npdb shows how many answers agree. Answers
	// to a backward move are candidates: different pasts of the same state. Each answer costs
	// its own tokens; 1 means no samples. 0 means 1, and 5 for a backward move if the model is
	// on this machine.
	Samples int `mapstructure:"samples" env:"NPDB_SAMPLES" flag:"samples" arg:"answers" default:"0" json:"-" min:"0" max:"100"`
	// How many states one reply of a chat model may hold: the requested one, and the next
	// ones of the same move, which then need no request. This saves most of the cost and
	// time of a hosted model; states that you do not step to are wasted. With samples it is
	// one.
	Stops int `mapstructure:"stops" env:"NPDB_STOPS" flag:"stops" arg:"states" default:"1" json:"-" min:"1" max:"64"`

	// Whether npdb computes the states that a program's text decides, and asks the model only for
	// the others: "on" or "off". With "check" the model answers every move, and npdb says which
	// parts of each predicted state follow from the text and which contradict it. "auto" is on for
	// npdb's own model in neural mode, check for a server's, and off beside CPython. A computed
	// state has the origin "computed". npdb computes forward moves, and runs nothing of the program.
	Compute string `mapstructure:"compute" env:"NPDB_COMPUTE" flag:"compute" arg:"when" default:"auto" oneof:"auto on check off" json:"-"`

	// How many of the likely next moves npdb prefetches while you read: 1 is the likeliest
	// alone, 2 are step into and step over, 0 is none. The default is 2 for a server on this
	// machine when commands come from a terminal. It is 0 for a server elsewhere, where unused
	// replies may cost money, and for the model that npdb carries, which is fast and runs on
	// the same processors as your program.
	Prefetch *int `mapstructure:"prefetch" env:"NPDB_PREFETCH" flag:"prefetch" arg:"moves" min:"0" max:"2" most:"step into and step over"`
	// How many of them are requested at the same time. More than one is for a server that
	// answers several requests as fast as one.
	PrefetchAtOnce int `mapstructure:"prefetch_at_once" env:"NPDB_PREFETCH_AT_ONCE" default:"1" min:"1"`
	// How many tokens a session may spend on prefetched replies that no move uses. After that
	// npdb stops prefetching. Tokens read and written both count. For cancelled requests, and
	// for servers that report no usage, npdb estimates three bytes of text per token. 0 is no
	// limit.
	PrefetchTokens int `mapstructure:"prefetch_tokens" env:"NPDB_PREFETCH_TOKENS" default:"0" min:"0"`

	// The price of a million prompt tokens, for the cost of a session. Set price_completion
	// as well.
	PricePrompt *float64 `mapstructure:"price_prompt" env:"NPDB_PRICE_PROMPT" min:"0"`
	// The price of a million prompt tokens from the server's cache. The default is
	// price_prompt.
	PriceCached *float64 `mapstructure:"price_cached" env:"NPDB_PRICE_CACHED" min:"0"`
	// The price of a million tokens that the model writes.
	PriceCompletion *float64 `mapstructure:"price_completion" env:"NPDB_PRICE_COMPLETION" min:"0"`
	// The currency of the prices, as shown.
	Currency string `mapstructure:"currency" env:"NPDB_CURRENCY" default:"USD"`

	// How npdb talks to the model: "nd1" (texts that a model must be trained on), "cwm"
	// (traces of the Code World Model) or "chat" (any chat model). "auto" uses cwm if the
	// model's name says so, else tries nd1, then chat, and remembers the result.
	Dialect string `mapstructure:"dialect" env:"NPDB_DIALECT" flag:"dialect" arg:"dialect" default:"auto" oneof:"auto nd1 chat cwm"`
	// How the prompt is sent: as "text", or as token "ids", which the server's /tokenize
	// makes.
	Prompt string `mapstructure:"prompt" env:"NPDB_PROMPT" default:"text" oneof:"text ids"`
	// A file with the system message for chat models, in place of npdb's own
	// (dsl/chat/system.txt). It explains the task and the form of replies. npdb eval
	// measures its effect.
	System string `mapstructure:"system" env:"NPDB_SYSTEM" path:"file"`
	// The file tokenizer.model of the Code World Model's weights, for servers that report no
	// token ids, such as its own fgserve.
	Tokenizer string `mapstructure:"tokenizer" env:"NPDB_TOKENIZER" path:"file"`
	// Ids of tokens to stop at besides the text of frame_sep. nd/1's own frame_sep is 128100
	// in CWM's vocabulary.
	StopTokenIDs []int `mapstructure:"stop_token_ids" min:"0"`
	// Whether the server puts its beginning-of-text token before the prompt. By default the
	// server decides.
	AddSpecialTokens *bool `mapstructure:"add_special_tokens" env:"NPDB_ADD_SPECIAL_TOKENS"`
	// How the model's vocabulary spells the tokens of nd/1, for a model trained with other
	// names: frame_sep = "<|reserved_special_token_1|>". Tokens that are not listed keep the
	// names of docs/nd1.md.
	Tokens map[string]string `mapstructure:"tokens"`
	// Further fields of the request, as one JSON object, such as '{"priority": 1}'. They
	// override npdb's own fields; null removes a field that a server refuses.
	Extra JSONObject `mapstructure:"extra" env:"NPDB_EXTRA"`
	// Further headers of the request, each as "Name: value". npdb shows their names only.
	Headers []string `mapstructure:"headers"`
}

// Against selects the second model. The other settings of the section model apply to both models.
type Against struct {
	// The address of a second model's server. The second model takes CPython's place in both
	// mode: npdb compares the models and runs nothing. The default is the first model's
	// server.
	BaseURL string `mapstructure:"base_url" env:"NPDB_AGAINST" flag:"against" arg:"url"`
	// The second model's name on its server. The default is the first that the server lists.
	Name string `mapstructure:"name" env:"NPDB_AGAINST_MODEL" flag:"against-model" arg:"name"`
	// A file that holds the key for the second model's server. On the first model's server
	// the first model's key applies.
	KeyFile string `mapstructure:"key_file" env:"NPDB_AGAINST_KEY_FILE" path:"file"`
}

// Why selects the chat model that explains states. The other settings of the section model apply to it too.
type Why struct {
	// The address of a chat model's server, for the command why. The default is the predicting
	// model's server, unless model.dialect says that this model is no chat model.
	BaseURL string `mapstructure:"base_url" env:"NPDB_WHY" flag:"why" arg:"url"`
	// The chat model's name on its server. The default is the first that the server lists, or the
	// predicting model if the server is the same.
	Name string `mapstructure:"name" env:"NPDB_WHY_MODEL" flag:"why-model" arg:"name"`
	// A file that holds the key for the chat model's server. On the predicting model's server
	// that model's key applies.
	KeyFile string `mapstructure:"key_file" env:"NPDB_WHY_KEY_FILE" path:"file"`
}

// The sources of states, as values of Config.Mode.
const (
	ModeNeural = "neural"
	ModeReal   = "real"
	ModeBoth   = "both"
)

// TwoModels reports whether a second model takes CPython's place.
func (c Config) TwoModels() bool { return c.Against.BaseURL != "" || c.Against.Name != "" }

// DefaultMode returns Mode if it is set. Otherwise it returns both with a second model, neural with
// a configured endpoint, and real without one.
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

// KeyMap returns the key bindings of the screen: those of the key profile, overridden by Keys.
func (c Config) KeyMap() (*keys.Map, error) { return keys.New(c.KeyProfile, c.Profiles, c.Keys) }

// KeyProfiles returns the valid values of the setting key_profile.
func (c Config) KeyProfiles() []string { return keys.ProfileNames(c.Profiles) }
