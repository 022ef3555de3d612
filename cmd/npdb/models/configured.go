package models

import (
	"cmp"
	"errors"
	"fmt"
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

// New makes the model of neural mode from the configuration: that of the endpoint, or
// without one the model in the binary.
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

// ForSession returns the model of neural mode for a session. If the configuration says so, it asks
// the model for several samples, and it computes or checks the states that follow from the
// program's source.
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

// pastsHere is the default number of answers to a backward move of a model on this machine.
const pastsHere = 5

// pastAnswers returns how many answers a model gives to a backward move.
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
// them, "check" compares the model's states with them, "off" does neither. Beside CPython the
// default is off, because there the model is measured.
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

// setRedaction sets the redaction of secrets for a model from the configuration.
func setRedaction(n *nav.Neural, c config.Config) error {
	if c.RedactFor == "none" || c.RedactFor != "all" && !n.Predictor.Model().Away {
		return nil
	}
	rules, err := c.Redaction()
	if err != nil {
		return err
	}
	n.Redact = redact.New(rules)
	return nil
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

// ServerConfig returns the configuration of a client for a model on a server.
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
	if m.Samples > 1 { // all samples are of the same state
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

// noServer returns the error for a model name without a server address. instead describes what npdb
// does without the name.
func noServer(name, instead string) error {
	return fmt.Errorf("--model %s names a model of an OpenAI-compatible server: %s. Without both, %s", name, toServer, instead)
}

// Unasked reports that npdb runs the program although a model is named, because there is
// no server. If the command line names the model, this is an error, because the user does
// not expect the program to run. For a name in the configuration it is only a notice.
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

// Against makes the second model.
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
	own := c
	own.Model.BaseURL, own.Model.Name = c.Against.BaseURL, c.Against.Name
	own.Model.PricePrompt, own.Model.PriceCached, own.Model.PriceCompletion = nil, nil, nil // they belong to the first model
	// The second model's states serve as the truth, so it must predict all of them.
	own.Model.Compute = "off"
	if c.Against.BaseURL != "" && c.Against.BaseURL != c.Model.BaseURL {
		own.Model.Key, own.Model.Headers = "", nil // they are for the first model's server
	}
	if c.Against.KeyFile != "" {
		key, err := config.ReadKeyFile(c.Against.KeyFile)
		if err != nil {
			return own, fmt.Errorf("the second model's key: %w", err)
		}
		own.Model.Key = key
	}
	if own.Model.BaseURL == "" {
		own.Model.BaseURL = c.Model.BaseURL
	}
	if own.Model.BaseURL == "" {
		return own, errors.New("--against-model names a second model, and there is no endpoint: give its address with --against, or that of both with --base-url")
	}
	return own, nil
}
