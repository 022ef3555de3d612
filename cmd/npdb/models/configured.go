package models

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/session/score"
)

// toServer is what to do where a server has to be named.
const toServer = "give its address with --base-url (or OPENAI_BASE_URL, or base_url in the configuration), such as http://127.0.0.1:8000/v1"

// HasModel reports whether there is a model to ask: on an endpoint, or the one that
// npdb carries.
func HasModel(c config.Config) bool {
	return c.Model.BaseURL != "" || c.Model.Name == "" && embedded.HasModel()
}

// New makes the model of neural mode from the configuration: that of the endpoint,
// and without one the model that npdb carries.
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

// Sampled returns the model that neural makes, asked as often as the configuration says.
func Sampled(c config.Config) (*nav.Neural, error) {
	n, err := New(c)
	if err == nil && c.Model.Samples > 1 {
		n.Predictor = &sampled.Predictor{Predictor: n.Predictor, Answers: c.Model.Samples, Temperature: c.Model.Temperature, Seed: c.Model.Seed}
	}
	return n, err
}

// setRedaction sets what is redacted for a model, by the configuration.
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

// foresight returns how far a model is asked ahead. Where nobody has said so, only one on a
// server at this machine is: it costs nothing there, and the one that npdb carries would
// take the processors that the program runs on, to save what nobody notices.
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

// ServerConfig returns the part of the configuration that a model on a server is asked
// with.
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
	if m.Samples > 1 { // they are of one state
		o.Stops = 1
	}
	if m.Retries == 0 {
		o.Retries = -1 // there, 0 stands for the default
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

// noServer returns the error of a model's name without the address of its server; instead is
// what comes of neither.
func noServer(name, instead string) error {
	return fmt.Errorf("--model %s names a model of an OpenAI-compatible server: %s. Without both, %s", name, toServer, instead)
}

// Unasked reports that the program is run although a model was named: there is no server
// to ask it on. Where the command line names it that is refused, for who asks for a
// model does not expect a program to run; a name that is always there is told of.
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

// Names returns what the model is called, and the one that takes CPython's place, as far
// as that is known before they are asked.
func Names(c config.Config) string {
	name := c.Model.Name
	if n, err := New(c); err == nil { // else the first program that is opened says why
		name = n.Predictor.Model().Name
		defer n.Predictor.Close()
	}
	if !c.TwoModels() || c.DefaultMode() != config.ModeBoth {
		return name
	}
	return cmp.Or(name, "a model") + " beside " + cmp.Or(c.Against.Name, "another model")
}

// EmbeddedConfig returns the part of the configuration that npdb's own model is asked with.
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
	return Sampled(own)
}

// OfSecond returns the configuration of the second model, which is asked as the first one but for
// where and who it is.
func OfSecond(c config.Config) (config.Config, error) {
	own := c
	own.Model.BaseURL, own.Model.Name = c.Against.BaseURL, c.Against.Name
	own.Model.PricePrompt, own.Model.PriceCached, own.Model.PriceCompletion = nil, nil, nil // they are the model's own
	if c.Against.BaseURL != "" && c.Against.BaseURL != c.Model.BaseURL {
		own.Model.Key, own.Model.Headers = "", nil // they are for the model's own server
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
		return own, errors.New("--against-model names a second model of an endpoint, and there is none: give its address with --against, or that of both with --base-url")
	}
	return own, nil
}
