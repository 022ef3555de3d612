package eval

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/internal/plainfile"
)

// mostCache is the maximum size of a cache file in bytes.
const mostCache = 4 << 30

// Cache saves answers in a file, so that an interrupted run can continue without asking the same
// questions again. It appends one line at a time, so a run that is killed damages at most the last line.
// Its methods may be called from several goroutines.
type Cache struct {
	mu      sync.Mutex
	file    *os.File
	answers map[string]cached
	failed  error // the first error of writing
	damaged int
}

// mostInvalid limits the number of invalid replies that a saved answer may report. No question needs so
// many.
const mostInvalid = 100

// cached is a line of a cache file: a saved answer. Reply is its text in nd/1. If the answer was not a
// state, Kind is the reason.
type cached struct {
	Key        string            `json:"key"`
	Reply      string            `json:"reply,omitempty"`
	Confidence *float64          `json:"confidence,omitempty"`
	NoLocals   bool              `json:"no_locals,omitempty"`
	Kind       backend.ErrorKind `json:"kind,omitempty"`
	Message    string            `json:"message,omitempty"`
	Raw        string            `json:"raw,omitempty"`
	Invalid    int               `json:"invalid,omitempty"` // number of replies that were not a state
	Outside    int               `json:"outside,omitempty"` // those that name a line that the program does not have
}

// OpenCache reads a cache, or creates one.
func OpenCache(path string) (*Cache, error) {
	c := &Cache{answers: map[string]cached{}}
	raw, err := plainfile.Read(path, mostCache)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the answers that are kept cannot be read: %w", err)
	}
	c.read(raw)
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		c.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	}
	if err == nil && len(raw) > 0 && raw[len(raw)-1] != '\n' { // an earlier run was killed
		_, err = c.file.WriteString("\n")
	}
	if err != nil {
		return nil, fmt.Errorf("answers cannot be kept: %w", err)
	}
	return c, nil
}

func (c *Cache) read(raw []byte) {
	for line := range bytes.Lines(raw) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var a cached
		if json.Unmarshal(line, &a) != nil || a.Key == "" || (a.Reply == "") == (a.Kind == 0) ||
			a.Confidence != nil && !(*a.Confidence >= 0 && *a.Confidence <= 1) {
			c.damaged++
			continue
		}
		c.answers[a.Key] = a
	}
}

// Damaged returns the number of invalid lines in the cache file.
func (c *Cache) Damaged() int { return c.damaged }

// Close closes the file. It also returns the first error of saving an answer.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.failed, c.file.Close())
}

func (c *Cache) get(key string) (cached, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.answers[key]
	return a, ok
}

func (c *Cache) put(a cached) {
	text, err := json.Marshal(a)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers[a.Key] = a
	if err == nil {
		_, err = c.file.Write(append(text, '\n'))
	}
	if c.failed == nil {
		c.failed = err
	}
}

// keeping is a predictor that saves the answers of another one and reuses them. Its
// questions must contain all sampling options.
type keeping struct {
	backend.Predictor
	cache    *Cache
	identity string // name of the model, independent of the server
	sampling string // configured sampling options
	kept     atomic.Int64
}

// key returns a hash of everything that determines an answer.
func (k *keeping) key(q backend.Question, sample int) (string, error) {
	prompt, err := q.At.Prompt(q.Action)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal([]any{k.identity, k.sampling, q.Options, sample, prompt})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// predict returns the saved answer for a sample of a question. If there is none, it asks
// the model and saves the answer.
func (k *keeping) predict(ctx context.Context, q backend.Question, sample int) (*backend.Prediction, error) {
	if k.cache == nil {
		return k.Predict(ctx, q, nil)
	}
	key, err := k.key(q, sample)
	if err != nil {
		return nil, &backend.Error{Kind: backend.Unwritable, Message: "the question cannot be written: " + err.Error(), Err: err}
	}
	if a, ok := k.cache.get(key); ok {
		if made, err := a.answer(q); made != nil || err != nil {
			k.kept.Add(1)
			return made, err
		}
	}
	made, err := k.Predict(ctx, q, nil)
	if a, lasting := toKeep(key, q, made, err); lasting {
		k.cache.put(a)
	}
	return made, err
}

// toKeep returns the form in which an answer is saved. lasting is false if it should not be
// saved, because another attempt could give a different answer.
func toKeep(key string, q backend.Question, made *backend.Prediction, err error) (a cached, lasting bool) {
	a.Key = key
	for _, v := range backend.DiscardedBy(made, err) {
		if v.Invalid {
			a.Invalid++
		}
		if v.Outside {
			a.Outside++
		}
	}
	if err != nil {
		var failure *backend.Error
		if !errors.As(err, &failure) {
			return a, false
		}
		switch failure.Kind {
		case backend.NoState, backend.Endless, backend.TooLong:
			a.Kind, a.Message, a.Raw = failure.Kind, failure.Message, failure.Raw
			return a, true
		}
		return a, false
	}
	a.Confidence, a.NoLocals = made.Confidence, made.NoLocals
	a.Reply, err = q.At.Reply(q.Action, made.Step.Reply)
	return a, err == nil
}

// answer restores a saved answer to its question. It returns nothing if the saved text is
// invalid.
func (a cached) answer(q backend.Question) (*backend.Prediction, error) {
	untold := backend.Usage{Prompt: -1, Cached: -1, Completion: -1}
	var discarded []backend.Discarded
	for i := range min(a.Invalid, mostInvalid) {
		discarded = append(discarded, backend.Discarded{Usage: untold, Invalid: true, Outside: i < a.Outside})
	}
	if a.Kind != 0 {
		return nil, &backend.Error{Kind: a.Kind, Message: a.Message, Raw: a.Raw, Discarded: discarded}
	}
	d := q.At.Decode(q.Action)
	if d.Feed(a.Reply) != nil {
		return nil, nil
	}
	step, ok := d.Step()
	if !ok {
		return nil, nil
	}
	return &backend.Prediction{Step: step, Raw: a.Reply, Confidence: a.Confidence, NoLocals: a.NoLocals, Usage: untold, Discarded: discarded}, nil
}
