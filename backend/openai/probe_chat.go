package openai

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// chatStep tests whether the model predicts a state by chat, as the debugger requests it. It asks
// twice: the first reply shows what the server reports, the second whether it has a prefix cache.
func (r *prober) chatStep(at *dsl.Node) *backend.Error {
	q := backend.Question{At: at, Action: dsl.Action{Move: dsl.StepOver}}
	pieces := 0
	got, err := r.predictChat(r.ctx, q, func(u backend.Update) {
		if u.Raw != "" {
			pieces++
		}
	})
	failure := noAnswer(r.ctx, err)
	if failure != nil && (r.ctx.Err() != nil || r.found.verdict(canSpeak) == Undecided) {
		return failure // otherwise the server has replied to a text
	}
	if err != nil {
		r.found.add(canChat, No, "%s", err)
		return nil
	}
	if s := got.Step.Reply.Stop; s != nil && s.Line == 2 && len(s.Locals) == 1 && s.Locals[0].Value == "1" {
		r.found.add(canChat, Yes, "the state it predicts for x = 1 is right")
	} else {
		r.found.add(canChat, Yes, "what it predicts for x = 1 is wrong, but well formed")
	}
	thinks := ""
	if got.Thoughts != "" {
		thinks = "its thoughts are told"
	}
	r.found.add(canThink, verdict(got.Thoughts != ""), "%s", thinks)
	r.addNew(canStream, verdict(pieces > 1), "%d piece(s)", pieces)
	r.addNew(canLogprobs, verdict(got.Confidence != nil), "")
	r.addNew(canTellUsage, verdict(got.Usage.Prompt >= 0), "")
	again, err := r.predictChat(r.ctx, q, nil)
	switch {
	case r.ctx.Err() != nil:
		return noAnswer(r.ctx, err)
	case err != nil || again.Usage.Cached < 0:
		r.addNew(canTellCached, Undecided, "not told")
	default:
		r.addNew(canTellCached, verdict(again.Usage.Cached > 0), "%d of %d tokens came from it", again.Usage.Cached, again.Usage.Prompt)
	}
	return nil
}

// noAnswer returns the failure if no model replied. It returns nil if a model replied, with a valid
// state or not.
func noAnswer(ctx context.Context, err error) *backend.Error {
	var failure *backend.Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &failure):
		return &backend.Error{Kind: backend.TimedOut, Message: ctx.Err().Error(), Err: err}
	}
	switch failure.Kind {
	case backend.NoState, backend.Endless, backend.NoEndpoint, backend.TooLong:
		return nil
	}
	return failure
}

// addNew adds a capability, unless it was tested with nd/1 texts before.
func (r *prober) addNew(name string, v Verdict, seen string, args ...any) {
	for _, item := range r.found.Items {
		if item.Name == name {
			return
		}
	}
	r.found.add(name, v, seen, args...)
}

// chatSchema tests whether a schema that allows only one answer is obeyed.
func (r *prober) chatSchema() *backend.Error {
	const word = "npdb"
	talk := conversation{
		messages: []chat.Message{{Role: "system", Content: "Answer in JSON."}, {Role: "user", Content: "Name a debugger."}},
		name:     "name",
		schema: map[string]any{
			"type": "object", "required": []string{"name"}, "additionalProperties": false,
			"properties": map[string]any{"name": map[string]any{"type": "string", "enum": []string{word}}},
		},
	}
	limit := probeTokens
	var said struct {
		Name string `json:"name"`
	}
	_, failure := r.askChat(r.ctx, question{prompt: talk.text(), talk: &talk, options: backend.Options{MaxTokens: &limit}}, func() sink {
		return &textSink{read: func(text string) error { return json.Unmarshal([]byte(text), &said) }}
	})
	r.mu.Lock()
	taken := r.form.schema == bySchema
	r.mu.Unlock()
	switch {
	case r.ctx.Err() != nil:
		return failure
	case !taken:
		r.addNew(canSchema, No, "refused")
	case failure == nil:
		r.addNew(canSchema, verdict(said.Name == word), "by response_format")
	case failure.Kind == backend.Endless: // the model was still reasoning at the limit
		r.addNew(canSchema, Undecided, "the reply did not end")
	default:
		r.addNew(canSchema, No, "")
	}
	return nil
}
