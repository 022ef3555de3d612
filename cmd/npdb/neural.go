package main

import (
	"errors"

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
