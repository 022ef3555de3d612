package models

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/backend/pasts"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/session/score"
)

// toServer is the advice for an error about a missing server address.
const toServer = "give its address with --base-url (or OPENAI_BASE_URL, or base_url in the configuration), such as http://127.0.0.1:8000/v1"

// HasModel reports whether there is a model: on an endpoint, or in the binary.
func HasModel(c config.Config) bool {
	return c.Model.BaseURL != "" || c.Model.Name == "" && embedded.HasModel()
}

// New returns the model of neural mode that the configuration selects: the one on the endpoint, or
// without an endpoint the model in the binary.
func New(c config.Config) (*nav.Neural, error) {
	n := &nav.Neural{Python: PythonVersion(c), Prices: score.Prices{
		Prompt: c.Model.PricePrompt, Cached: c.Model.PriceCached, Completion: c.Model.PriceCompletion, Currency: c.Model.Currency,
	}}
	if c.Model.BaseURL == "" {
		if c.Model.Name != "" {
			return nil, noServer(c.Model.Name, "npdb asks the model that it carries")
		}
		own, err := embedded.Shipped(EmbeddedConfig(c))
		if errors.Is(err, embedded.ErrNoModel) {
			err = fmt.Errorf("%w: where an OpenAI-compatible server has one, %s. npdb serve starts one to try it with", err, toServer)
		}
		if err != nil {
			return nil, err
		}
		n.Predictor, n.Prefetch = own, foresight(c.Model, false)
		return n, setRedaction(n, c)
	}
	o, err := ServerConfig(c.Model)
	if err != nil {
		return nil, err
	}
	if v := n.Python; !v.Inlines() {
		o.System = cmp.Or(o.System, chat.System) + "\nThe program runs on Python " + v.String() + ": there a comprehension of a list, a set or a dict is a frame of its own, <listcomp>, <setcomp> or <dictcomp>, with a call and a return, and a line event for each of its turns; its first local is .0, what it goes over."
	}
	server, err := OnServer(o)
	if err != nil {
		return nil, err
	}
	n.Format, n.Predictor, n.Prefetch = o.Format, server, foresight(c.Model, !server.Model().Away)
	return n, setRedaction(n, c)
}

// ForSession returns the model of neural mode for a session. Depending on the configuration, the session
// samples several answers, and computes or checks the states that follow from the program's source.
func ForSession(c config.Config) (*nav.Neural, error) {
	n, err := New(c)
	if err != nil {
		return n, err
	}
	away := n.Predictor.Model().Away
	n.Predictor = &sampled.Predictor{
		Predictor: n.Predictor, Answers: c.Model.Samples, Pasts: pastAnswers(c.Model.Samples, away),
		Temperature: c.Model.Temperature, Seed: c.Model.Seed,
	}
	n.Verify.Text = &nav.Method{Verifier: computed.NewVerifier(n.Python), Searcher: pasts.Searcher{Version: n.Python}}
	n.Verify.Model = !away
	switch computes(c) {
	case "check":
		n.Predictor = computed.NewChecker(n.Predictor, n.Python)
	case "on":
		steps := mostAsked
		if c.Model.BaseURL == "" {
			steps = mostAskedOwn
		}
		n.Predictor = computed.New(n.Predictor, n.Python, steps)
	}
	return n, nil
}

// pastsHere is how many answers npdb requests for a backward move by default, if the model runs on this
// machine.
const pastsHere = 5

// pastAnswers returns how many answers to a backward move are requested from a model.
func pastAnswers(samples int, away bool) int {
	switch {
	case samples > 0:
		return samples
	case away:
		return 1
	}
	return pastsHere
}

// computes returns how a session treats states that follow from the program's source: "on" computes
// them, "check" compares the model's states with them, "off" does neither. In mode both, the default is
// "off", because there the model itself is measured.
func computes(c config.Config) string {
	switch {
	case c.Model.Compute != "auto":
		return c.Model.Compute
	case c.DefaultMode() == config.ModeBoth:
		return "off"
	case c.Model.BaseURL == "":
		return "on"
	}
	return "check"
}

// The maximum number of steps that a model is asked for within one move that cannot be computed
// from the program's source. On a server each step is a request, which may cost money.
const (
	mostAsked    = 8
	mostAskedOwn = 100
)

// setRedaction configures the redaction of secrets for a model.
func setRedaction(n *nav.Neural, c config.Config) (err error) {
	n.Redact, err = redactorFor(n.Predictor.Model().Away, c)
	return err
}

// redactorFor returns the redactor for a model on this machine or away from it, nil if nothing is redacted.
func redactorFor(away bool, c config.Config) (*redact.Redactor, error) {
	if c.RedactFor == "none" || c.RedactFor != "all" && !away {
		return nil, nil
	}
	return NewRedactor(c)
}

// NewRedactor returns a redactor with the configured rules. It also hides the secrets in the environment,
// because a program may read them.
func NewRedactor(c config.Config) (*redact.Redactor, error) {
	rules, err := c.Redaction()
	if err != nil {
		return nil, err
	}
	r := redact.New(rules)
	r.Environment(os.Environ())
	return r, nil
}

// foresight returns how many moves npdb prefetches. Unless this is configured, it prefetches only
// from a server on this machine, because that costs nothing. The model in the binary is fast
// without it, and would compete with the user's program for the processors.
func foresight(m config.Model, serverHere bool) nav.Foresight {
	f := nav.Foresight{AtOnce: m.PrefetchAtOnce, Tokens: m.PrefetchTokens}
	switch {
	case m.Prefetch != nil:
		f.Moves = *m.Prefetch
	case serverHere:
		f.Moves = 2
	}
	return f
}

// ServerConfig returns the configuration of the client for a model on a server.
func ServerConfig(m config.Model) (openai.Config, error) {
	o := openai.Config{
		BaseURL: m.BaseURL, Key: m.Key, Model: m.Name, Window: m.Window,
		MaxTokens: m.MaxTokens, Temperature: m.Temperature, Seed: m.Seed,
		Timeout: m.Timeout, IdleTimeout: m.IdleTimeout, Retries: m.Retries,
		Logprobs: m.Logprobs, Prompt: openai.PromptMode(m.Prompt), Dialect: openai.Dialect(m.Dialect),
		OwnWord: m.OwnWord && m.Samples < 2, Stops: m.Stops,
		StopIDs: m.StopTokenIDs, AddSpecialTokens: m.AddSpecialTokens, Offline: m.Offline,
	}
	if m.TopP != nil {
		o.TopP = *m.TopP
	}
	if m.Samples > 1 { // all samples are answers about the same state
		o.Stops = 1
	}
	if m.Retries == 0 {
		o.Retries = -1 // in openai.Config, 0 means the default
	}
	var err error
	if o.Format, err = dsl.NewFormat(m.Tokens); err != nil {
		return o, err
	}
	if o.Extra, err = m.Extra.Fields(); err != nil {
		return o, err
	}
	if o.Headers, err = m.HeaderFields(); err != nil {
		return o, err
	}
	if m.System != "" {
		text, err := plainfile.Read(m.System, 1<<20)
		if err != nil {
			return o, fmt.Errorf("the system message cannot be read (model.system): %w", err)
		}
		if o.System = strings.TrimSpace(string(text)); o.System == "" || !utf8.Valid(text) {
			return o, fmt.Errorf("%s is no system message (model.system): it is empty, or no UTF-8", m.System)
		}
	}
	if m.Tokenizer != "" {
		if o.Vocabulary, err = openai.ReadVocabulary(m.Tokenizer); err != nil {
			return o, fmt.Errorf("the tokenizer cannot be read (model.tokenizer): %w", err)
		}
	}
	return o, nil
}

// noServer returns the error for a model name without a server address. instead says what npdb
// does without the name.
func noServer(name, instead string) error {
	return fmt.Errorf("--model %s names a model of an OpenAI-compatible server: %s. Without both, %s", name, toServer, instead)
}

// Unasked reports that npdb runs the program although a model is named, because no server is configured.
// If the command line names the model, this is an error, because the user does not expect the program to
// run. If the configuration does, it is only a notice.
func Unasked(c *config.Loaded) (notice string, err error) {
	if c.Mode != "" || c.DefaultMode() != config.ModeReal || c.Model.Name == "" {
		return "", nil
	}
	from := c.From(config.KeyName)
	if strings.HasPrefix(from, "--") {
		return "", noServer(c.Model.Name, "CPython runs the program")
	}
	return fmt.Sprintf("the model %s of %s is not asked, CPython runs the program: there is no server to ask; %s", c.Model.Name, from, toServer), nil
}

// Names returns the names of the model and of the second model, if they are known before
// any request.
func Names(c config.Config) string {
	name := c.Model.Name
	if n, err := New(c); err == nil { // otherwise the first program that is opened reports the error
		name = n.Predictor.Model().Name
		defer n.Predictor.Close()
	}
	if !c.TwoModels() || c.DefaultMode() != config.ModeBoth {
		return name
	}
	return cmp.Or(name, "a model") + " beside " + cmp.Or(c.Against.Name, "another model")
}

// EmbeddedConfig returns the configuration of the model in the binary.
func EmbeddedConfig(c config.Config) embedded.Config {
	m := c.Model
	o := embedded.Config{Temperature: m.Temperature, Seed: m.Seed, MaxTokens: m.MaxTokens, Python: PythonVersion(c)}
	if m.TopP != nil {
		o.TopP = *m.TopP
	}
	return o
}

// Against returns a client for the second model, whose answers the first one's are compared with.
func Against(c config.Config) (*nav.Neural, error) {
	own, err := OfSecond(c)
	if err != nil {
		return nil, err
	}
	return ForSession(own)
}

// OfSecond returns the configuration of the second model. It is the same as the first
// one's except for the server and the model's name.
func OfSecond(c config.Config) (config.Config, error) {
	own, err := another(c, c.Against.BaseURL, c.Against.Name, c.Against.KeyFile)
	if err != nil {
		return own, fmt.Errorf("the second model's key: %w", err)
	}
	// The second model's states serve as the truth, so it must predict all of them.
	own.Model.Compute = "off"
	if own.Model.BaseURL == "" {
		return own, errors.New("--against-model names a second model, and there is no endpoint: give its address with --against, or that of both with --base-url")
	}
	return own, nil
}

// another returns the configuration of a model that is not the predicting one. It copies c and replaces the server's
// address, the model's name and the key, which it reads from keyFile (unless that is ""). If address is "", the
// server is that of the predicting model.
func another(c config.Config, address, name, keyFile string) (config.Config, error) {
	own := c
	own.Model.BaseURL, own.Model.Name = cmp.Or(address, c.Model.BaseURL), name
	own.Model.PricePrompt, own.Model.PriceCached, own.Model.PriceCompletion = nil, nil, nil // they belong to the first model
	if own.Model.BaseURL != c.Model.BaseURL {
		own.Model.Key, own.Model.Headers = "", nil // they are for the first model's server
		own.Model.Window = 0
	}
	if keyFile == "" {
		return own, nil
	}
	key, err := config.ReadKeyFile(keyFile)
	own.Model.Key = key
	return own, err
}
