// Package openai predicts with a model behind an OpenAI-compatible server: vLLM, SGLang,
// llama-server, Ollama, npdb's own, or any other server that offers chat. The dialect decides how a
// question is sent: an nd/1 text, or a trace of the Code World Model, goes to /v1/completions, and
// the reply is decoded while it streams; a conversation goes to /v1/chat/completions.
//
// The package uses go-openai's (github.com/sashabaranov/go-openai) types of replies and of the list of
// models, with the fields that other servers add (chunk, listedModel). It does not use go-openai's
// client, which refuses some models and prompts, nor its types of requests (see fields).
package openai

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// PromptMode is the form in which a prompt is sent.
type PromptMode string

// Text sends a string, which every server accepts. IDs sends token numbers: each step is tokenized
// only once, and the server's prefix cache stays valid even if the model tokenizes its own text
// differently. IDs needs a server with /tokenize.
const (
	Text PromptMode = "text"
	IDs  PromptMode = "ids"
)

// Config describes a server, its model, and how requests are sent. The comment of a field names the
// default that replaces its zero value.
type Config struct {
	// BaseURL is the root of the API, for example "http://127.0.0.1:8000/v1". For a Unix
	// socket it is "unix:///run/model.sock"; the API then begins at /v1.
	BaseURL string
	Key     string
	// Model is the model's name on the server; "": the first model that the server lists.
	Model   string
	Dialect Dialect     // "": ND1
	Memory  Memory      // where Auto stores the dialect it finds; nil: nowhere
	Format  *dsl.Format // spellings of nd/1's tokens; nil: dsl.ND1
	// StopIDs holds the token numbers of <|frame_sep|> in the model's vocabulary, for servers that
	// can stop at tokens too. If it is empty, the field is not sent.
	StopIDs     []int
	MaxTokens   int     // of one reply; 0: 2048
	Temperature float64 // always sent, even if 0
	TopP        float64 // 0: not sent
	Seed        *int64
	// Window is the maximum number of tokens of a prompt and its reply together; 0: as the server
	// reports.
	Window   int
	Logprobs bool // request log probabilities, from which confidences are computed
	// OwnWord makes npdb ask a chat model to state its confidence if the server returns no log
	// probabilities.
	OwnWord bool
	// Stops is the largest number of states in one reply to a chat: the requested state, and the states
	// that follow if the same action is repeated. A later question for one of these needs no request. 0:
	// 1.
	Stops  int
	Prompt PromptMode
	// System is the system message of chats; "": chat.System.
	System string
	// Vocabulary tokenizes traces; nil: the server tokenizes them.
	Vocabulary *Vocabulary
	// AddSpecialTokens selects whether the server puts the model's BOS token before a prompt. If it
	// is nil, the server decides.
	AddSpecialTokens *bool
	// Extra holds fields of the request's body that override npdb's. A nil value removes a field,
	// for servers that refuse unknown fields.
	Extra   map[string]any
	Headers map[string]string
	// Offline makes New refuse a server on another machine.
	Offline bool

	Timeout     time.Duration // of one request until its reply has ended; 0: 2 minutes
	IdleTimeout time.Duration // between two pieces of a reply; 0: 30 s
	Retries     int           // number of retries; 0: 2, negative: none
	// MaxWait is the maximum wait between attempts. If a server asks for a longer wait, npdb does
	// not retry. 0: 30 s.
	MaxWait time.Duration

	// Now and Sleep replace the clock in tests.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

func (c Config) withDefaults() (Config, error) {
	if c.Format == nil {
		c.Format = dsl.ND1
	}
	set(&c.MaxTokens, 2048)
	set(&c.Stops, 1)
	set(&c.Timeout, 2*time.Minute)
	set(&c.IdleTimeout, 30*time.Second)
	set(&c.Retries, 2)
	set(&c.MaxWait, 30*time.Second)
	set(&c.Prompt, Text)
	set(&c.Dialect, ND1)
	set(&c.System, chat.System)
	c.Retries = max(c.Retries, 0)
	switch {
	case !slices.Contains(Dialects(), c.Dialect):
		return c, fmt.Errorf("a model is asked by %q, %q, %q or %q, not by %q", Auto, ND1, Chat, CWM, string(c.Dialect))
	case c.Prompt != Text && c.Prompt != IDs:
		return c, fmt.Errorf("a prompt is sent as %q or %q, not as %q", Text, IDs, string(c.Prompt))
	case c.MaxTokens < 0 || c.Stops < 0 || c.Window < 0 || c.Timeout < 0 || c.IdleTimeout < 0 || c.MaxWait < 0:
		return c, errors.New("limits of tokens, states and times cannot be negative")
	}
	for _, own := range []string{"stream", "prompt", "messages", "n", "echo"} {
		if _, ok := c.Extra[own]; ok {
			return c, fmt.Errorf("the field %q of a request is npdb's own: leave it out of the extra fields", own)
		}
	}
	c.Key = strings.TrimSpace(c.Key)
	if !fitsHeader(c.Key) {
		return c, errors.New("the key has a line break or another control character in it: check OPENAI_API_KEY")
	}
	for name, value := range c.Headers {
		if !fitsHeader(name) || !fitsHeader(value) || name == "" {
			return c, fmt.Errorf("the header %q cannot be sent: its name is empty, or there is a control character in it", name)
		}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	return c, nil
}

// fitsHeader reports whether a text is allowed in an HTTP header (RFC 9110, section 5.5).
func fitsHeader(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// New returns a predictor for a configuration. It sends no request. The error describes an invalid
// configuration, without credentials. If Offline forbids the server, it is a *backend.Error.
func New(c Config) (*Predictor, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	at, err := parseEndpoint(c.BaseURL)
	if err != nil {
		return nil, err
	}
	if c.Offline && at.away() {
		return nil, &backend.Error{
			Kind:    backend.Withheld,
			Message: fmt.Sprintf("%s is not at this machine, and npdb is offline (--offline, NPDB_OFFLINE, model.offline): no connection is opened. A server at this machine may be asked, and so may the model that npdb carries", at.place),
		}
	}
	c.StopIDs = slices.Clone(c.StopIDs)
	p := &Predictor{
		cfg: c, at: at, secrets: secretsOf(c, at), jitter: rand.Float64,
		window: c.Window, model: c.Model, spoken: c.Dialect, form: chatForm{length: "max_tokens"}, ids: newIDCache(maxCachedIDs),
	}
	p.closing, p.close = context.WithCancel(context.Background())
	p.transport = newTransport(at)
	p.http = &http.Client{Transport: p.transport, CheckRedirect: refuseRedirect}
	p.authorization = authorization(c.Key, at)
	return p, nil
}
