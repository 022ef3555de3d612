package openai

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// conversation is the messages of a question in a chat, and the form of the answer.
type conversation struct {
	messages []chat.Message
	name     string         // name of the schema
	schema   map[string]any // nil: the answer is free text
	sure     bool           // the model is asked to state its confidence
	states   int            // largest number of states in the answer's list; 0: the answer is one state without a list
}

// text returns the contents of all messages. Its length determines how many tokens the chat needs.
func (c *conversation) text() string {
	var b strings.Builder
	for _, m := range c.messages {
		b.WriteString(m.Content)
	}
	return b.String()
}

// chatForm is the form in which the server accepts chats. npdb learns it from the server's refusals.
type chatForm struct {
	schema   schemaForm
	length   string // name of the field that limits the tokens of a reply
	noSystem bool   // put the system message into the first user message
}

// schemaForm is the way in which a request tells the server the form of the answer.
type schemaForm uint8

const (
	bySchema schemaForm = iota
	anyJSON
	inWords // only in the messages
)

var (
	ofSchema = regexp.MustCompile(`(?i)response_format|schema|structured|grammar|guided|json[_ ]?(?:object|mode)|generate json|requested parameters`)
	ofSystem = regexp.MustCompile(`(?i)system (?:role|message|prompt)|role[^.]{0,40}\bsystem\b|roles must alternate`)
)

// looser returns the next form to try after the server refused a chat in form f. ok is false if the
// refusal is not about the form, or if it is about a field that the user set.
func (p *Predictor) looser(f chatForm, e *backend.Error) (_ chatForm, ok bool) {
	var said *serverError
	if !errors.As(e, &said) || e.Status != 0 && e.Status < http.StatusBadRequest {
		return f, false
	}
	switch e.Kind {
	case backend.BadRequest, backend.ServerFailed, backend.NoEndpoint:
	default:
		return f, false
	}
	told := said.Message + " " + said.Param
	_, limited := p.cfg.Extra["max_tokens"]
	bound := false
	for own := range p.cfg.Extra {
		bound = bound || ofSchema.MatchString(own) && strings.Contains(told, own)
	}
	switch {
	case strings.Contains(told, "max_completion_tokens") && f.length == "max_tokens" && !limited:
		f.length = "max_completion_tokens"
	case ofSchema.MatchString(told) && f.schema < inWords && !bound:
		f.schema++
	case ofSystem.MatchString(told) && !f.noSystem:
		f.noSystem = true
	default:
		return f, false
	}
	return f, true
}

// askChat sends a chat. While the server refuses the form of the chat, askChat sends it again in a
// looser form.
func (p *Predictor) askChat(ctx context.Context, q question, sink func() sink) (*reply, *backend.Error) {
	p.mu.Lock()
	q.form = p.form
	p.mu.Unlock()
	known := q.form
	for {
		r, failure := p.ask(ctx, q, sink())
		if r != nil && (failure == nil || failure.Status == 0) && q.form != known { // the model replied
			p.mu.Lock()
			p.form = q.form
			p.mu.Unlock()
		}
		if failure == nil {
			return r, nil
		}
		var ok bool
		if q.form, ok = p.looser(q.form, failure); !ok || failure.Raw != "" {
			return r, failure
		}
	}
}

// chatFields returns the body of the request for a chat.
func (p *Predictor) chatFields(q question, limit int) map[string]any {
	talk, form := q.talk, q.form
	messages := talk.messages
	if form.noSystem {
		messages = slices.Clone(messages[1:])
		messages[0].Content = talk.messages[0].Content + "\n\n" + messages[0].Content
	}
	f := p.common(q.options, form.length, limit)
	f["messages"] = messages
	switch {
	case talk.schema == nil: // the answer is free text
	case form.schema == bySchema:
		f["response_format"] = map[string]any{
			"type":        "json_schema",
			"json_schema": map[string]any{"name": talk.name, "strict": true, "schema": talk.schema},
		}
	case form.schema == anyJSON:
		f["response_format"] = map[string]any{"type": "json_object"}
	}
	if p.cfg.Logprobs {
		f["logprobs"] = true
	}
	return p.adapted(f)
}

// textSink collects a chat's answer, which is decoded when it is complete.
type textSink struct {
	text strings.Builder
	show func(backend.Update)
	read func(text string) error
	// early decodes a state from an incomplete answer, to show it; nil if none is to be shown.
	early  func(text string) (dsl.Reply, error)
	braces braces // of the text so far
	state  *dsl.Reply
}

func (s *textSink) feed(piece, raw string) (done bool, err error) {
	s.text.WriteString(piece)
	if s.show == nil {
		return false, nil
	}
	if s.early != nil && s.state == nil && s.braces.feed(piece) {
		if state, err := s.early(s.text.String()); err == nil {
			s.state = &state
		}
	}
	u := backend.Update{Raw: raw}
	if s.state != nil {
		u.Reply, u.Known = *s.state, dsl.KnownEvent|dsl.KnownStack|dsl.KnownLocals|dsl.KnownLine|dsl.KnownValue
	}
	s.show(u)
	return false, nil
}

func (s *textSink) end() error { return s.read(s.text.String()) }

// converse asks by chat. If the answer cannot be decoded, it sends the error to the model and asks once
// more; corrected is that error. in returns a sink for each answer. The sink's method read returns a
// *chat.Error.
func (p *Predictor) converse(ctx context.Context, q question, in func() *textSink) (r *reply, retries int, corrected error, err error) {
	var again func()
	if show := in().show; show != nil {
		again = func() { show(backend.Update{Restarted: true}) }
	}
	var first error
	for {
		n, err := p.retry(ctx, func() *backend.Error {
			var failure *backend.Error
			r, failure = p.askChat(ctx, q, func() sink { return in() })
			if q.talk.salvages(r, failure, in().read) {
				ledgerOf(ctx).takeBack()
				return nil
			}
			return failure
		}, again)
		retries += n
		var failure *backend.Error
		var wrong *chat.Error
		if first != nil && errors.As(err, &failure) && (failure.Kind == backend.BadRequest || failure.Kind == backend.TooLong) {
			// The server refuses the correction, or the window has no room for it.
			return r, retries, corrected, first
		}
		if corrected != nil || !errors.As(err, &failure) || failure.Kind != backend.NoState || !errors.As(err, &wrong) || failure.Raw == "" {
			return r, retries, corrected, err
		}
		corrected, first = wrong, err
		q = q.corrected(failure.Raw, wrong)
		if again != nil {
			again()
		}
	}
}

// corrected returns the chat extended by a wrong answer and the error in it.
func (q question) corrected(answer string, wrong *chat.Error) question {
	talk := *q.talk
	talk.messages = append(slices.Clip(talk.messages), chat.Message{Role: "assistant", Content: answer}, chat.Correction(wrong))
	q.talk, q.prompt = &talk, talk.text()
	return q
}

// contradictions returns the names of the parts of an answer that contradict the program's source.
func contradictions(q backend.Question, answer dsl.Reply) []string {
	if q.Contradictions == nil {
		return nil
	}
	return q.Contradictions(answer)
}

// talk converts a question to a chat. The answer may list at most `states` states.
func (p *Predictor) talk(q backend.Question, states int) (*conversation, error) {
	messages, err := chat.Messages(p.cfg.System, q.At, q.Action)
	if err != nil {
		return nil, &backend.Error{Kind: backend.Unwritable, Message: "the question cannot be written: " + err.Error(), Err: err}
	}
	c := &conversation{messages: messages, name: "state", schema: chat.Schema(q.At.Program())}
	p.mu.Lock()
	c.sure = p.cfg.OwnWord && p.oddless
	p.mu.Unlock()
	if c.sure {
		c.schema = chat.SureSchema(c.schema)
	}
	if p.cfg.Stops > 1 { // use one schema for all questions: it is part of the prefix that servers cache
		c.states, c.name = states, "states"
		c.messages, c.schema = chat.AskStates(c.messages, states), chat.StatesSchema(c.schema)
	}
	if c.sure {
		c.messages = chat.AskSure(c.messages)
	}
	return c, nil
}

// predictChat implements Predict for chats.
func (p *Predictor) predictChat(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	if made := p.fromBefore(q); made != nil && len(contradictions(q, made.Step.Reply)) == 0 {
		return made, nil
	}
	start := time.Now()
	talk, err := p.talk(q, p.atOnce(q))
	if err != nil {
		return nil, err
	}
	var parts []chat.Part
	read := func(text string) (err error) {
		parts, err = talk.decode(q, text)
		return err
	}
	in := func() *textSink {
		s := &textSink{show: show, read: read}
		if talk.states > 0 {
			s.early = func(text string) (dsl.Reply, error) {
				parts, err := talk.decode(q, text)
				if err != nil {
					return dsl.Reply{}, err
				}
				return parts[0].Step.Reply, nil
			}
		}
		return s
	}
	asked := question{prompt: talk.text(), at: q.At, talk: talk, options: q.Options}
	r, retries, corrected, err := p.converse(ctx, asked, in)
	if err != nil {
		return nil, err
	}
	contradicts := contradictions(q, parts[0].Step.Reply)
	if len(contradicts) > 0 && corrected == nil {
		first := parts
		if show != nil {
			show(backend.Update{Restarted: true})
		}
		again, tries, _, err := p.converse(ctx, asked.corrected(r.raw.String(), chat.Contradiction(contradicts)), in)
		retries += tries
		if err == nil || ctx.Err() != nil {
			ledgerOf(ctx).addContradicted(r)
		}
		switch {
		case ctx.Err() != nil:
			return nil, err
		case err == nil:
			r = again
		default: // a contradictory answer is better than none
			parts = first
		}
	}
	step := parts[0].Step
	prediction := p.predicted(r, start, retries, step, r.raw.String(), chat.Told(r.raw.String()))
	if talk.states > 0 {
		prediction.Confidence, prediction.Sureness = p.sureOf(talk, r, parts[0], 0)
		p.keepRest(q, talk, r, parts)
	} else if talk.sure && prediction.Sureness == nil {
		if word := chat.Sure(r.raw.String()); word != nil {
			prediction.Sureness = &backend.Sureness{By: backend.OwnWord, Whole: word}
		}
	}
	if prediction.Wire, err = q.At.Reply(q.Action, step.Reply); err != nil {
		return nil, &backend.Error{Kind: backend.Unwritable, Message: "the answer cannot be written: " + err.Error(), Err: err}
	}
	if len(contradicts) > 0 && corrected == nil {
		prediction.Warnings = append(prediction.Warnings, "The model's first answer contradicted the program ("+strings.Join(contradicts, ", ")+"), and it was asked once more.")
	}
	if corrected != nil {
		prediction.Warnings = append(prediction.Warnings, "The model's first answer was no state, and it was asked once more: "+p.secrets.quote(corrected.Error()))
	}
	return prediction, nil
}

// fillChat implements Fill for chats. It asks for all values at once.
func (p *Predictor) fillChat(ctx context.Context, at *dsl.Node, first *dsl.Stop, missing []int, o backend.Options) (*backend.Filled, error) {
	messages, err := chat.Values(p.cfg.System, at, first, missing)
	if err != nil {
		return nil, &backend.Error{Kind: backend.Unwritable, Message: "the question for values cannot be written: " + err.Error(), Err: err}
	}
	talk := conversation{messages: messages, name: "values", schema: chat.ValuesSchema()}
	var whole *dsl.Stop
	var told map[string][]dsl.Span
	r, _, _, err := p.converse(ctx, question{prompt: talk.text(), at: at, talk: &talk, options: o}, func() *textSink {
		return &textSink{read: func(text string) (err error) {
			whole, told, err = chat.DecodeValues(at, first, missing, text)
			return err
		}}
	})
	if err != nil {
		return nil, err
	}
	filled := &backend.Filled{First: whole, Took: []backend.Usage{r.usage.counts()}}
	for _, i := range missing {
		if failure := backend.TooLongValue(whole.Locals[i].Name, whole.Locals[i].Value); failure != nil {
			failure.Raw = r.raw.String()
			ledgerOf(ctx).add(r, failure)
			return nil, failure
		}
	}
	if pieces := r.spelled(""); p.cfg.Logprobs && pieces != nil {
		sure := map[string]*float64{}
		measured := backend.Measure(pieces, dsl.Told{Locals: told})
		for name := range told {
			sure[name] = measured.Local(name)
		}
		filled.Measure(missing, sure)
	}
	return filled, nil
}
