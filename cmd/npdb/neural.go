package main

import (
	"errors"
	"fmt"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/session/walk"
)

// toServer is what to do where a server has to be named.
const toServer = "give its address with --base-url (or OPENAI_BASE_URL, or base_url in the configuration), such as http://127.0.0.1:8000/v1"

// neural makes the model of neural mode from the configuration: that of the endpoint,
// and without one the model that npdb carries.
func (c config) neural() (*walk.Neural, error) {
	n := &walk.Neural{}
	var err error
	if n.Redact, err = compileAll(c.Redact); err != nil {
		return nil, err
	}
	if c.Model.BaseURL == "" {
		if c.Model.Name != "" {
			return nil, fmt.Errorf("--model %s names a model of an OpenAI-compatible server: %s. Without both, npdb asks the model that it carries", c.Model.Name, toServer)
		}
		if n.Predictor, err = embedded.Shipped(embeddedConfig(c.Model)); errors.Is(err, embedded.ErrNoModel) {
			err = fmt.Errorf("%w: where an OpenAI-compatible server has one, %s. npdb serve starts one to try it with", err, toServer)
		}
		return n, err
	}
	o, err := openaiConfig(c)
	if err != nil {
		return nil, err
	}
	n.Format = o.Format
	n.Predictor, err = openai.New(o)
	return n, err
}

// modelName is what the model is called, as far as that is known before it is asked.
func (c config) modelName() string {
	n, err := c.neural()
	if err != nil { // which the first program that is opened says
		return c.Model.Name
	}
	defer n.Predictor.Close()
	return n.Predictor.Model().Name
}

// embeddedConfig is the part of the configuration that npdb's own model is asked with.
func embeddedConfig(m modelConfig) embedded.Config {
	o := embedded.Config{Temperature: m.Temperature, Seed: m.Seed, MaxTokens: m.MaxTokens}
	if m.TopP != nil {
		o.TopP = *m.TopP
	}
	return o
}

// against makes the second model, which is asked as the first one but for where
// and who it is.
func (c config) against() (*walk.Neural, error) {
	own := c
	own.Model.BaseURL, own.Model.Name = c.Against.BaseURL, c.Against.Name
	if c.Against.BaseURL != "" && c.Against.BaseURL != c.Model.BaseURL {
		own.Model.Key, own.Model.Headers = "", nil // they are for the model's own server
	}
	if c.Against.KeyFile != "" {
		key, err := readKeyFile(c.Against.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("the second model's key: %w", err)
		}
		own.Model.Key = key
	}
	if own.Model.BaseURL == "" {
		own.Model.BaseURL = c.Model.BaseURL
	}
	if own.Model.BaseURL == "" {
		return nil, errors.New("--against-model names a second model of an endpoint, and there is none: give its address with --against, or that of both with --base-url")
	}
	return own.neural()
}
