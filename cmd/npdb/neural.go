package main

import (
	"errors"
	"fmt"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/session"
)

// neural makes the model of neural mode from the configuration.
func (c config) neural() (*session.Neural, error) {
	if c.Model.BaseURL == "" {
		return nil, errors.New("--mode neural needs a model to ask: give the address of an OpenAI-compatible server with --base-url " +
			"(or OPENAI_BASE_URL, or base_url in the configuration), such as http://127.0.0.1:8000/v1. npdb serve starts one to try it with")
	}
	o, err := openaiConfig(c)
	if err != nil {
		return nil, err
	}
	n := &session.Neural{Format: o.Format}
	if n.Redact, err = compileAll(c.Redact); err != nil {
		return nil, err
	}
	n.Predictor, err = openai.New(o)
	return n, err
}

// against makes the second model, which is asked as the first one but for where
// and who it is.
func (c config) against() (*session.Neural, error) {
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
	return own.neural()
}
