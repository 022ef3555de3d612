package serve

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Config configures a server. Only Models is required.
type Config struct {
	// Models are the available models. The first one answers requests that do not name a model.
	Models []Model
	// Format defines how clients spell nd/1's tokens; nil means dsl.ND1.
	Format *dsl.Format
	// Key, if not empty, is the bearer token that clients must send for every path except
	// /health.
	Key string
	// Hosts are further names by which clients may address the server (the Host of their requests,
	// without a port). localhost and IP addresses are always allowed; requests for any other host
	// are refused.
	Hosts []string
	// Origins are the origins of web pages that may send requests, such as
	// https://app.example. Pages of the server's own origin always may.
	Origins []string
	// Window is the maximum number of tokens of a prompt and its answer together
	// (max_model_len): 1,048,576 if 0. A token is a byte, or one of the special tokens of nd/1.
	Window int
	// Body is the maximum size of a request in bytes, 16 MiB if 0. All requests that are being
	// answered may together have four times that size.
	Body int64
	// AtOnce is the number of requests answered at the same time, 4 if 0. Waiting is the number
	// of further requests that may wait for their turn, 256 if 0. Requests beyond that get the
	// status 503 and are asked to retry later.
	AtOnce, Waiting int
	// Timeout limits the time for one request; 30 seconds if 0. A request that takes longer
	// gets an unknown answer.
	Timeout time.Duration
	// Grace is the time for current requests to finish at shutdown; 5 seconds if 0.
	Grace time.Duration
	// Misbehavior makes the server misbehave on purpose, for tests. The zero value means correct
	// behavior.
	Misbehavior Misbehavior
	// Version is the response of /version.
	Version string
	// Log receives one entry for each request, without its content; nil for no log.
	Log *slog.Logger
}

// Model is a predictor with the name that requests use for it.
type Model struct {
	Name      string
	Predictor backend.Predictor // the server does not close it
	// Guesses reports that the predictor is a language model. Its answers are then sampled with the
	// request's options, its log probabilities may be unknown, and it refuses prompts in the Code
	// World Model's trace format.
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
