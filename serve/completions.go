package serve

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

// completion is a response of /v1/completions, or one chunk of a stream.
type completion struct {
	ID      string             `json:"id"`
	Object  string             `json:"object"`
	Created int64              `json:"created"`
	Model   string             `json:"model"`
	Choices []completionChoice `json:"choices"`
	Usage   *usage             `json:"usage,omitempty"`
}

type completionChoice struct {
	Index     int       `json:"index"`
	Text      string    `json:"text"`
	Logprobs  *logprobs `json:"logprobs"`
	Finish    *string   `json:"finish_reason"`
	Reason    any       `json:"stop_reason"`
	IDs       []int     `json:"token_ids,omitempty"`
	PromptIDs []int     `json:"prompt_token_ids,omitempty"`
}

type logprobs struct {
	Offsets  []int                `json:"text_offset"`
	Logprobs []float64            `json:"token_logprobs"`
	Tokens   []string             `json:"tokens"`
	Top      []map[string]float64 `json:"top_logprobs"`
}

// texts is the dialect of /v1/completions for prompts in nd/1.
type texts struct {
	*dsl.Format
	tokenizer *tokenizer
}

func (t texts) parse(body []byte) (*request, error) { return parseRequest(body, t.tokenizer) }

func (t texts) question(q *request) (at *dsl.Node, asked dsl.Action, err error) {
	at, action, err := t.Read(t.text(q))
	switch {
	case err != nil:
		return nil, asked, fmt.Errorf("the prompt is not valid nd/1: %w", err)
	case action == nil:
		return nil, asked, errors.New("the prompt asks nothing")
	}
	return at, *action, nil
}

func (texts) find(context.Context, *request, *Model) error { return nil }

func (t texts) all(_ context.Context, _ *request, _ *Model, at *dsl.Node, asked dsl.Action, first dsl.Reply) (text string, cut bool, err error) {
	text, err = t.written(at, asked, first)
	return text, false, err
}

func (texts) written(at *dsl.Node, asked dsl.Action, r dsl.Reply) (string, error) {
	return at.Reply(asked, r)
}

func (t texts) declined() string { return t.Name(dsl.UnknownSep) + t.Name(dsl.FrameSep) }

func (texts) sound(at *dsl.Node, asked dsl.Action, text string) bool {
	d := at.Decode(asked)
	return d.Feed(text) == nil && d.Done()
}

func (t texts) endless() string { return t.Name(dsl.LineSep) + `{"x": "` }

func (t texts) tokens(text string) []int { return t.tokenizer.encode(text, false) }

func (texts) object(bool) string { return "text_completion" }

func (texts) prefix() string { return "cmpl-" }

func (t texts) completion(r *reply) completion {
	return completion{ID: r.id, Object: t.object(r.Stream), Created: time.Now().Unix(), Model: r.model.Name, Choices: []completionChoice{}}
}

func (t texts) whole(r *reply) any {
	body := t.completion(r)
	body.Usage = r.usage()
	for i, c := range r.choices {
		one := completionChoice{Index: i, Text: c.text(), Finish: &c.finish, Reason: c.reason, Logprobs: t.logprobs(r, i, c.tokens)}
		if r.ReturnIDs {
			one.IDs, one.PromptIDs = c.ids(), r.prompt
		}
		body.Choices = append(body.Choices, one)
	}
	return body
}

func (texts) opening(*reply, int) any { return nil }

func (t texts) piece(r *reply, choice, at int) any {
	c := r.choices[choice]
	one := completionChoice{Index: choice, Text: c.tokens[at].text, Logprobs: t.logprobs(r, choice, c.tokens[at:at+1])}
	if at == len(c.tokens)-1 {
		one.Finish, one.Reason = &c.finish, c.reason
	}
	if r.ReturnIDs {
		one.IDs = []int{c.tokens[at].id}
		if at == 0 {
			one.PromptIDs = r.prompt
		}
	}
	body := t.completion(r)
	body.Choices = append(body.Choices, one)
	return body
}

func (t texts) tail(r *reply) any {
	last := t.completion(r)
	last.Usage = r.usage()
	return last
}

// logprobs returns the log probabilities of the next tokens of a choice, in vLLM's format. It
// returns nil if they were not requested or are unknown. For CPython's answers, which are certain,
// all are 0.
func (t texts) logprobs(r *reply, choice int, tokens []token) *logprobs {
	if r.Logprobs == nil || r.choices[choice].vague {
		return nil
	}
	l := &logprobs{Offsets: []int{}, Logprobs: []float64{}, Tokens: []string{}, Top: []map[string]float64{}}
	offset := &r.offsets[choice]
	for _, one := range tokens {
		shown := t.tokenizer.shown(one.id)
		if r.IDsInPlaceOfText {
			shown = "token_id:" + strconv.Itoa(one.id)
		}
		l.Offsets, l.Logprobs, l.Tokens = append(l.Offsets, *offset), append(l.Logprobs, one.logprob), append(l.Tokens, shown)
		l.Top = append(l.Top, map[string]float64{shown: one.logprob})
		*offset += utf8.RuneCountInString(shown)
	}
	return l
}
