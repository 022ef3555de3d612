package serve

import (
	"context"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// chatCompletion is a response of /v1/chat/completions, or one chunk of a stream.
type chatCompletion struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   *usage       `json:"usage,omitempty"`
}

type chatChoice struct {
	Index    int           `json:"index"`
	Message  *chatMessage  `json:"message,omitempty"` // only in a complete response
	Delta    *chatMessage  `json:"delta,omitempty"`   // only in a chunk of a stream
	Logprobs *chatLogprobs `json:"logprobs"`
	Finish   *string       `json:"finish_reason"`
	Reason   any           `json:"stop_reason"` // an addition of vLLM
}

type chatMessage struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

type chatLogprobs struct {
	Content []chatLogprob `json:"content"`
}

type chatLogprob struct {
	tokenLogprob
	Top []tokenLogprob `json:"top_logprobs"`
}

type tokenLogprob struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
	Bytes   []int   `json:"bytes"`
}

// chats is the dialect of /v1/chat/completions: conversations, and answers in JSON. Each
// value handles one request.
type chats struct {
	format    *dsl.Format
	tokenizer *tokenizer
	states    int // maximum number of requested states; 0 if the request is for a single state
}

func (c *chats) of(*request, *rollout.Cache[rollout.Trail]) dialect {
	own := *c
	return &own
}

func (*chats) find(context.Context, *request, *Model) error { return nil }

func (c *chats) parse(body []byte) (*request, error) { return parseChat(body, c.tokenizer) }

func (c *chats) question(q *request) (at *dsl.Node, asked dsl.Action, err error) {
	at, what, err := chat.Read(c.format, q.messages)
	if err != nil {
		return nil, asked, badRequest("messages", "The conversation is none that npdb writes: %v.", err)
	}
	c.states = what.States
	return at, what.Action, nil
}

func (c *chats) written(at *dsl.Node, asked dsl.Action, r dsl.Reply) (string, error) {
	if c.states > 0 {
		return chat.EncodeStates(at, asked, []dsl.Reply{r})
	}
	return chat.Encode(at, asked, r)
}

func (c *chats) declined() string {
	if c.states > 0 {
		return `{"states":[` + chat.Unknown() + "]}"
	}
	return chat.Unknown()
}

func (c *chats) sound(at *dsl.Node, asked dsl.Action, text string) bool {
	if c.states > 0 {
		_, err := chat.DecodeStates(at, asked, c.states, text)
		return err == nil
	}
	_, err := chat.Decode(at, asked, text)
	return err == nil
}

func (c *chats) endless() string {
	const begins = `{"outcome":"state","event":"line","line":1,"function":null,"stack":null,"locals":[{"name":"x","value":"`
	if c.states > 0 {
		return `{"states":[` + begins
	}
	return begins
}

// maxStates limits the number of states in one answer.
const maxStates = 64

// all returns the text of the answer that begins with the reply first. If the request is for
// several states, it adds the following states, while they are known before ctx ends and fit into
// the request's tokens. cut is always false.
func (c *chats) all(ctx context.Context, q *request, m *Model, at *dsl.Node, asked dsl.Action, first dsl.Reply) (text string, cut bool, err error) {
	text, err = c.written(at, asked, first)
	if c.states == 0 {
		return text, false, err
	}
	replies := []dsl.Reply{first}
	for node := at; err == nil && len(replies) < min(c.states, maxStates) && len(text) < q.most; {
		last := replies[len(replies)-1]
		if last.Outcome != dsl.Landed {
			break
		}
		next, err := node.Append(dsl.Step{Action: asked, Reply: last})
		if err != nil {
			break
		}
		p, err := m.Predictor.Predict(ctx, backend.Question{At: next, Action: asked, Options: m.options(q)}, nil)
		if err != nil || p.Step.Reply.Outcome == dsl.Unknown || byContainment(p.Step.Reply) != "" && !m.Guesses {
			break
		}
		longer, err := chat.EncodeStates(at, asked, append(replies, p.Step.Reply))
		if err != nil {
			break
		}
		node, text, replies = next, longer, append(replies, p.Step.Reply)
	}
	return text, false, err
}

func (c *chats) tokens(text string) []int { return c.tokenizer.bytes(text) }

func (*chats) object(stream bool) string {
	if stream {
		return "chat.completion.chunk"
	}
	return "chat.completion"
}

func (*chats) prefix() string { return "chatcmpl-" }

func (c *chats) completion(r *reply, choices ...chatChoice) *chatCompletion {
	if choices == nil {
		choices = []chatChoice{}
	}
	return &chatCompletion{ID: r.id, Object: c.object(r.Stream), Created: time.Now().Unix(), Model: r.model.Name, Choices: choices}
}

func (c *chats) whole(r *reply) any {
	var choices []chatChoice
	for i, one := range r.choices {
		text := one.text()
		choices = append(choices, chatChoice{
			Index: i, Message: &chatMessage{"assistant", &text}, Logprobs: c.logprobs(r, one, one.tokens), Finish: &one.finish, Reason: one.reason,
		})
	}
	body := c.completion(r, choices...)
	body.Usage = r.usage()
	return body
}

// opening returns the first chunk of a choice. Like OpenAI's first chunk it contains the role.
func (c *chats) opening(r *reply, choice int) any {
	empty := ""
	return c.completion(r, chatChoice{Index: choice, Delta: &chatMessage{"assistant", &empty}})
}

func (c *chats) piece(r *reply, choice, at int) any {
	said := r.choices[choice]
	tokens := said.tokens
	one := chatChoice{Index: choice, Delta: &chatMessage{}, Logprobs: c.logprobs(r, said, tokens[at:at+1])}
	last := at == len(tokens)-1
	if text := tokens[at].text; text != "" || !last {
		one.Delta.Content = &text
	}
	if last {
		one.Finish, one.Reason = &r.choices[choice].finish, r.choices[choice].reason
	}
	return c.completion(r, one)
}

func (c *chats) tail(r *reply) any {
	last := c.completion(r)
	last.Usage = r.usage()
	return last
}

// logprobs returns the log probabilities of tokens of a choice, in OpenAI's format. It returns nil
// if they were not requested or are unknown. For CPython's answers, which are certain, all are 0.
func (c *chats) logprobs(r *reply, of *choice, tokens []token) *chatLogprobs {
	if r.Logprobs == nil || of.vague {
		return nil
	}
	l := &chatLogprobs{Content: []chatLogprob{}}
	for _, t := range tokens {
		one := tokenLogprob{Token: c.tokenizer.shown(t.id), Logprob: t.logprob, Bytes: c.tokenizer.bytes(c.tokenizer.text(t.id))}
		top := []tokenLogprob{}
		if *r.Logprobs > 0 {
			top = append(top, one)
		}
		l.Content = append(l.Content, chatLogprob{one, top})
	}
	return l
}
