// Package openai asks a model behind an OpenAI-compatible server: vLLM, SGLang,
// llama-server, Ollama, or npdb's own, or whatever else answers chats. A question goes to
// /v1/completions as a text of nd/1, whose reply is decoded while it streams, or to
// /v1/chat/completions as a conversation: which of them is its dialect.
//
// Of github.com/sashabaranov/go-openai it uses the streams of a completion and of a chat,
// no more: its client makes the request and hands out the data of the reply's events up
// to [DONE] (CreateCompletionStream, CreateChatCompletionStream, RecvRaw). What goes through it is this
// package's own, for it lacks the fields that these servers need and loses what they
// say when they fail: the request's body and headers are written, and the reply's events
// and failures read, by the HTTP client that it is given (roundTrip, events), and the
// data is taken apart here (chunk). Its types of requests, replies and errors are not
// used, nor are its calls for models, chats or anything else: /models, /tokenize and the
// like are asked without it (call).
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

	client "github.com/sashabaranov/go-openai"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// PromptMode is how the text of a question is sent.
type PromptMode string

// Text sends a string, which every server takes. IDs sends token numbers: the
// server tokenizes each step once, and what it has cached stays of use even
// where the model tokenizes its own text in another way than the server does.
// It needs a server with /tokenize.
const (
	Text PromptMode = "text"
	IDs  PromptMode = "ids"
)

// Config is a server, a model and how it is asked. The zero of a field is its
// default, where one is named.
type Config struct {
	// BaseURL is where the API begins, "http://127.0.0.1:8000/v1". A socket of
	// this machine is "unix:///run/model.sock" (its API begins at /v1).
	BaseURL string
	Key     string
	// Model is the model's name at the server; "" takes the first that it lists.
	Model   string
	Dialect Dialect     // "": ND1
	Memory  Memory      // of what Auto has found out; nil: none
	Format  *dsl.Format // token names; nil: dsl.ND1
	// StopIDs are the numbers of <|frame_sep|> in the model's vocabulary, for
	// servers that stop at tokens too, not at their text alone. None: not sent.
	StopIDs     []int
	MaxTokens   int     // of one reply; 0: 2048
	Temperature float64 // always sent, also as 0
	TopP        float64 // 0: not sent
	Seed        *int64
	// Window is how many tokens a question and its reply may have together;
	// 0: what the server tells.
	Window   int
	Logprobs bool // ask for them: they give a prediction its confidence
	// OwnWord asks a model by chat to say how sure it is, where Logprobs came to nothing.
	OwnWord bool
	// Stops is how many states one reply to a chat may hold: the one that is asked for, and
	// the next ones of the same move, which answer that without a request. 0: 1.
	Stops  int
	Prompt PromptMode
	// System is the first message of chats; "": chat.System.
	System string
	// Vocabulary gives the token numbers of traces; nil: the server does.
	Vocabulary *Vocabulary
	// AddSpecialTokens says whether a text begins with the model's own first
	// token (BOS). Nil leaves that to the server.
	AddSpecialTokens *bool
	// Extra are fields of the request's body that win over npdb's. A nil value
	// leaves a field out, for servers that refuse what they do not know.
	Extra   map[string]any
	Headers map[string]string
	// Offline refuses a server that is not at this machine.
	Offline bool

	Timeout     time.Duration // of one request; 0: 2 minutes
	IdleTimeout time.Duration // between two pieces of a reply; 0: 30 s
	Retries     int           // after the first attempt; 0: 2, negative: none
	// MaxWait is the longest wait between attempts. A server that wants a longer
	// one is not asked again. 0: 30 s.
	MaxWait time.Duration

	// Now and Sleep stand in for the clock in tests.
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

// fitsHeader reports whether a text can stand in a header (RFC 9110, section 5.5).
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

// New returns a predictor for a configuration. It sends nothing yet; the error is
// one of the configuration, without any credential in it. It is a *backend.Error for a
// server that Offline refuses.
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
	cc := client.DefaultConfig("") // the key is the round trip's affair, as are all headers
	cc.BaseURL = at.base
	cc.HTTPClient = &roundTrip{
		http:    &http.Client{Transport: p.transport, CheckRedirect: refuseRedirect},
		headers: c.Headers, authorization: authorization(c.Key, at),
	}
	p.http = cc.HTTPClient
	p.client = client.NewClientWithConfig(cc)
	return p, nil
}
