package openai

import (
	"maps"

	client "github.com/sashabaranov/go-openai"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

// The body of a request is a map, not a request type of go-openai. Refusals of servers and the user's
// configuration refer to fields by name. Besides, go-openai's types omit a temperature of 0, escape "<"
// in messages with six bytes, and do not have the fields of other servers.

// fields returns the body of a request for an nd/1 text.
func (p *Predictor) fields(q question, prompt any, limit int) map[string]any {
	c := p.cfg
	names := make([]string, 0, len(dsl.Tokens()))
	for _, t := range dsl.Tokens() {
		names = append(names, c.Format.Name(t))
	}
	f := p.completion(q, prompt, limit, c.StopIDs, c.Prompt == IDs)
	// The quote that ends a value cannot be the stop text, because an escaped quote contains it. A model
	// that declines ends its reply with <|frame_sep|> too.
	f["stop"] = []string{c.Format.Name(dsl.FrameSep)}
	f["preserved_tokens"] = names // llama-server removes all others from the reply
	return p.adapted(f)
}

// traceFields returns the body of a request for the frames of a trace.
func (p *Predictor) traceFields(q question, prompt any, limit int, stopIDs []int) map[string]any {
	_, isText := prompt.(string)
	f := p.completion(q, prompt, limit, stopIDs, !isText)
	f["stop"] = q.stop // a single text, as fgserve requires
	f["preserved_tokens"] = cwm.Tokens()
	return p.adapted(f)
}

// completion returns the fields that texts and traces have in common, under the names that all
// known servers use. A server usually ignores fields that it does not know.
func (p *Predictor) completion(q question, prompt any, limit int, stopIDs []int, ids bool) map[string]any {
	f := p.common(q.options, "max_tokens", limit)
	f["prompt"] = prompt
	// By default vLLM and SGLang remove special tokens and the stop text from a reply.
	f["skip_special_tokens"], f["spaces_between_special_tokens"] = false, false
	f["include_stop_str_in_output"], f["no_stop_trim"] = true, true
	if len(stopIDs) > 0 {
		f["stop_token_ids"] = stopIDs
	}
	if p.cfg.Logprobs {
		f["logprobs"] = 1
	}
	if ids {
		f["return_token_ids"] = true
	} else if p.cfg.AddSpecialTokens != nil {
		f["add_special_tokens"] = *p.cfg.AddSpecialTokens
	}
	return f
}

// common returns the fields of all dialects. length is the name of the field that limits a reply.
func (p *Predictor) common(o backend.Options, length string, limit int) map[string]any {
	f := map[string]any{
		"model": p.name(), length: limit, "temperature": p.cfg.Temperature,
		"stream": true, "stream_options": client.StreamOptions{IncludeUsage: true},
	}
	if o.Temperature != nil {
		f["temperature"] = *o.Temperature
	}
	if o.TopP != nil {
		f["top_p"] = *o.TopP
	} else if p.cfg.TopP != 0 {
		f["top_p"] = p.cfg.TopP
	}
	if o.Seed != nil {
		f["seed"] = *o.Seed
	} else if p.cfg.Seed != nil {
		f["seed"] = *p.cfg.Seed
	}
	return f
}

// adapted removes the fields that the server refuses, and adds those of Config.Extra.
func (p *Predictor) adapted(f map[string]any) map[string]any {
	p.mu.Lock()
	for name := range p.without {
		f[name] = nil
	}
	p.mu.Unlock()
	maps.Copy(f, p.cfg.Extra)
	return f
}
