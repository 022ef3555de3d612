package main

import (
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
)

// openaiConfig is the part of the configuration that a model on a server is asked
// with.
func openaiConfig(c config) (openai.Config, error) {
	m := c.Model
	o := openai.Config{
		BaseURL: m.BaseURL, Key: m.Key, Model: m.Name, Window: m.Window,
		MaxTokens: m.MaxTokens, Temperature: m.Temperature, Seed: m.Seed,
		Timeout: m.Timeout, IdleTimeout: m.IdleTimeout, Retries: m.Retries,
		Logprobs: m.Logprobs, Prompt: openai.PromptMode(m.Prompt),
		StopIDs: m.StopTokenIDs, AddSpecialTokens: m.AddSpecialTokens,
	}
	if m.TopP != nil {
		o.TopP = *m.TopP
	}
	if m.Retries == 0 {
		o.Retries = -1 // there, 0 stands for the default
	}
	var err error
	if o.Format, err = dsl.NewFormat(m.Tokens); err != nil {
		return o, err
	}
	if o.Extra, err = m.Extra.fields(); err != nil {
		return o, err
	}
	o.Headers, err = parseHeaders(m.Headers)
	return o, err
}
