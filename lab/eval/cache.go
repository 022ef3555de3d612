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

// mostCache is how many bytes of answers are read.
const mostCache = 4 << 30

// Cache keeps answers in a file, so that a run that was ended goes on without asking
// anything twice. Its lines are added one at a time: a run that is killed damages at most
// the last. Its methods may be called from several goroutines.
type Cache struct {
	mu      sync.Mutex
	file    *os.File
	answers map[string]cached
	failed  error // the first write that failed
	damaged int
}

// mostInvalid is more replies than a question ever takes.
const mostInvalid = 100

// cached is a line of a cache's file. Reply is the text of nd/1 that was answered; of a
// model that answered with no state Kind says in what way.
type cached struct {
	Key        string            `json:"key"`
	Reply      string            `json:"reply,omitempty"`
	Confidence *float64          `json:"confidence,omitempty"`
	NoLocals   bool              `json:"no_locals,omitempty"`
	Kind       backend.ErrorKind `json:"kind,omitempty"`
	Message    string            `json:"message,omitempty"`
	Raw        string            `json:"raw,omitempty"`
	Invalid    int               `json:"invalid,omitempty"` // replies that were no state
	Outside    int               `json:"outside,omitempty"` // of them, for a line that the program does not have
}

// OpenCache reads a cache, or begins one.
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
	if err == nil && len(raw) > 0 && raw[len(raw)-1] != '\n' { // a run was killed while it wrote
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

// Damaged returns how many lines of the file were none.
func (c *Cache) Damaged() int { return c.damaged }

// Close closes the file. The error is that of the first answer that could not be kept.
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

// keeping is a predictor whose answers are kept. Its questions have to say all of how
// they are drawn.
type keeping struct {
	backend.Predictor
	cache    *Cache
	identity string // of the model, wherever it is asked
	sampling string // what is configured of it
	kept     atomic.Int64
}

// key returns the content that an answer follows from, as a hash.
func (k *keeping) key(q backend.Question, sample int) (string, error) {
	prompt, err := q.At.Prompt(q.Action)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal([]any{k.identity, k.sampling, q.Options, sample, prompt})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// predict asks for a sample of the answers to a question, or takes the one that is kept.
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

// toKeep returns an answer as it is kept. lasting is whether asking again would not help.
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

// answer returns what was kept, as the answer to its question; nothing where it is none.
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
