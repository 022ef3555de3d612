package serve

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Config says what a server answers with. Models alone has to be given.
type Config struct {
	// Models are what can be asked; the first is asked where a request names none.
	Models []Model
	// Format names nd/1's tokens as the clients know them; nil is dsl.ND1.
	Format *dsl.Format
	// Key, when not empty, is what a client has to give as a bearer token for
	// everything but /health.
	Key string
	// Hosts are names by which clients may call the server, besides localhost and
	// addresses: the Host of their requests, without a port. Any other is refused.
	Hosts []string
	// Origins are those of web pages, such as https://app.example, that may ask
	// besides a page of the server's own origin.
	Origins []string
	// Window is the number of tokens that a prompt and its answer may have
	// together (max_model_len): 1,048,576 when 0. A token is a byte, or one of
	// nd/1's marks.
	Window int
	// Body is how many bytes a request may have, 16 MiB when 0; all that are being
	// answered at a time may have four times that together.
	Body int64
	// AtOnce is how many questions are answered at the same time, 4 when 0;
	// Waiting how many more may wait for their turn, 256 when 0. What is over
	// is told to come again (503).
	AtOnce, Waiting int
	// Timeout is what one question may take; 30 seconds when 0. Then the answer
	// is unknown.
	Timeout time.Duration
	// Grace is what requests under way are given at the end; 5 seconds when 0.
	Grace time.Duration
	// Misbehavior makes the server do wrong on purpose; the zero value does not.
	Misbehavior Misbehavior
	// Version is what /version says.
	Version string
	// Log is told of requests, without what is in them; nil for nothing.
	Log *slog.Logger
}

// Model is a predictor under the name that requests have for it.
type Model struct {
	Name      string
	Predictor backend.Predictor // the server does not close it
	// Guesses marks a language model. Its answers are drawn with the request's options, its log
	// probabilities may be unknown, and it continues no traces.
	Guesses bool
}

func (c Config) orDefault() (Config, error) {
	if len(c.Models) == 0 {
		return c, errors.New("a server needs a model to answer with")
	}
	names := map[string]bool{}
	for _, m := range c.Models {
		if m.Name == "" || m.Predictor == nil || names[m.Name] {
			return c, fmt.Errorf("the model %q cannot be served: each needs a name of its own and a predictor", m.Name)
		}
		names[m.Name] = true
	}
	if c.Format == nil {
		c.Format = dsl.ND1
	}
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&c.Window, 1<<20)
	set(&c.AtOnce, 4)
	set(&c.Waiting, 256)
	if c.Body <= 0 {
		c.Body = 16 << 20
	}
	if c.Timeout <= 0 {
		c.Timeout = 30 * time.Second
	}
	if c.Grace <= 0 {
		c.Grace = 5 * time.Second
	}
	if c.Version == "" {
		c.Version = "npdb"
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c, c.Misbehavior.check()
}
