package embedded

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// Config holds the settings of a Predictor.
type Config struct {
	// Threads is the number of processors that a question may use; 0 chooses the number that is
	// fastest.
	Threads int
	// Temperature and TopP are the defaults for questions that do not set them. At temperature 0,
	// the likeliest token is always taken.
	Temperature float64
	TopP        float64
	Seed        *int64
	// MaxTokens limits the tokens of a reply; 0 means that only the window limits them.
	MaxTokens int
	// Python is the version of the programs' Python: before 3.12 a comprehension has a frame.
	Python python.Version
}

// mostThreads is the number of processors beyond which computing does not get faster.
const mostThreads = 4

// Predictor predicts with a model in this process. It implements backend.Predictor. Concurrent
// questions wait for each other.
type Predictor struct {
	cfg   Config
	model []byte
	file  *file
	turn  chan struct{} // holds a value while a question uses the engine

	measured *backend.Measured // the accuracy of the model shipped with this build

	once    sync.Once
	working *engine
	broken  error // why the engine cannot be created

	closing context.Context // ends at Close
	close   context.CancelFunc
}

var _ backend.Predictor = (*Predictor)(nil)

// errClosed is the error of questions that Close cancels.
var errClosed = errors.New("the predictor is closed")

// New returns a predictor for a model file written by lab/train/export.py. model is not copied, so
// it must not be changed afterwards.
func New(model []byte, c Config) (*Predictor, error) {
	f, err := readFile(model)
	if err != nil {
		return nil, unreadable(err)
	}
	return asking(f, model, c), nil
}

func unreadable(err error) error { return fmt.Errorf("the model cannot be read: %w", err) }

// asking returns a predictor for a model file of which at least the header was read.
func asking(f *file, model []byte, c Config) *Predictor {
	if c.Threads <= 0 {
		c.Threads = min(runtime.GOMAXPROCS(0), mostThreads)
	}
	p := &Predictor{cfg: c, model: model, file: f, turn: make(chan struct{}, 1)}
	p.closing, p.close = context.WithCancel(context.Background())
	return p
}

// Model describes the model.
func (p *Predictor) Model() backend.Model {
	return backend.Model{Name: p.file.Name, Dialect: "nd/1", Measured: p.measured}
}

// Digest returns the SHA-256 of the model file. It distinguishes models with the same name.
func (p *Predictor) Digest() string {
	sum := sha256.Sum256(p.model)
	return hex.EncodeToString(sum[:])
}

// Close closes the predictor. Questions in progress fail.
func (p *Predictor) Close() error {
	p.close()
	return nil
}

// engine returns the engine, which the first call creates.
func (p *Predictor) engine() (*engine, error) {
	p.once.Do(func() {
		if err := p.file.read(); err != nil {
			p.broken = &backend.Error{Kind: backend.NoModel, Message: unreadable(err).Error(), Err: err}
			return
		}
		p.working = newEngine(p.file, best(), p.cfg.Threads)
	})
	return p.working, p.broken
}

// Predict predicts the result of an action; see backend.Predictor.
func (p *Predictor) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	if !p.cfg.Python.Inlines() {
		if made, discarded, err := p.oldFrames(ctx, q); made != nil || err != nil {
			return made, backend.TakeDown(made, err, discarded)
		}
	}
	if stop := q.At.Current(); q.Action.Move == dsl.StepReturn && stop != nil && stop.Event != dsl.Return {
		made, discarded, err := p.chain(ctx, q)
		if made == nil && err == nil {
			made, err = p.direct(ctx, q, show)
		}
		return made, backend.TakeDown(made, err, discarded)
	}
	if step := q.Action.Move.Repeats(); step != 0 {
		return p.repeated(ctx, q, step, show)
	}
	return p.direct(ctx, q, show)
}

// direct predicts with one reply, for the abridged program if possible.
func (p *Predictor) direct(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	return p.directOf(ctx, q, p.cfg.Python, show)
}

// directOf predicts like direct, with the frames that Python version v has.
func (p *Predictor) directOf(ctx context.Context, q backend.Question, v python.Version, show func(backend.Update)) (*backend.Prediction, error) {
	a := abridge(q.At.Program())
	if a == nil {
		return p.answer(ctx, q, v, show)
	}
	short, ok := a.question(q)
	if !ok {
		return p.answer(ctx, q, v, show)
	}
	var shown func(backend.Update)
	if show != nil {
		shown = func(u backend.Update) {
			u.Reply = a.reply(u.Reply)
			show(u)
		}
	}
	made, err := p.answer(ctx, short, v, shown)
	if failure, ok := errors.AsType[*backend.Error](err); ok {
		failure.Reply = a.reply(failure.Reply)
	}
	if err != nil {
		return nil, err
	}
	made.Step = dsl.Step{Action: q.Action, Reply: a.reply(made.Step.Reply)}
	made.Pieces = nil // they spell the abridged program's reply
	made.Raw, err = q.At.Reply(q.Action, made.Step.Reply)
	if err != nil {
		return nil, unwritable("the reply", err)
	}
	return made, nil
}

// answer predicts with one reply, for the program as it is.
func (p *Predictor) answer(ctx context.Context, q backend.Question, v python.Version, show func(backend.Update)) (*backend.Prediction, error) {
	start := time.Now()
	prompt, err := q.At.Prompt(q.Action)
	if err != nil {
		return nil, unwritable("the question", err)
	}
	d := q.At.Decode(q.Action)
	var first time.Duration
	var fault error
	w := &writing{spot: newScene(q.At, q.Action, v).begin(), drawing: p.drawing(q.Options, q.Action.Move)}
	w.say = func(piece string) {
		if first == 0 {
			first = time.Since(start)
		}
		if fault = d.Feed(piece); show != nil && fault == nil {
			reply, known := d.Partial()
			show(backend.Update{Reply: reply, Known: known, Raw: w.raw.String()})
		}
	}
	err = p.ask(ctx, w, prompt, q.Options)
	step, ok := d.Step()
	switch {
	case err != nil:
		return nil, withPartial(err, w, d)
	case !ok: // the grammar should prevent this
		return nil, withPartial(&backend.Error{Kind: backend.NoState, Message: "the model's reply is no state", Err: fault}, w, d)
	}
	confidence, pieces := w.confidence(), w.pieces()
	return &backend.Prediction{
		Step: step, Raw: w.raw.String(), Confidence: &confidence, Pieces: pieces, Sureness: backend.Measure(pieces, d.Told()),
		Usage: w.used(),
		Took:  time.Since(start), First: first,
	}, nil
}

// withPartial adds the part of the reply that was written to an error.
func withPartial(err error, w *writing, d *dsl.Decoder) error {
	if w.raw.Len() == 0 {
		return err
	}
	discarded := backend.Discarded{Usage: w.used()}
	if failure, ok := errors.AsType[*backend.Error](err); ok {
		failure.Raw = w.raw.String()
		failure.Reply, failure.Known = d.Partial()
		discarded.Invalid = failure.Kind == backend.NoState || failure.Kind == backend.Endless
		discarded.Outside = dsl.Outside(failure.Err)
	}
	return backend.TakeDown(nil, err, []backend.Discarded{discarded})
}

func unwritable(what string, err error) error {
	return &backend.Error{Kind: backend.Unwritable, Message: what + " cannot be written: " + err.Error(), Err: err}
}

// Fill asks for the missing values one by one, each after the values before it; see
// backend.Predictor.
func (p *Predictor) Fill(ctx context.Context, at *dsl.Node, first *dsl.Stop, missing []int, o backend.Options) (*backend.Filled, error) {
	whole := *first
	whole.Locals = slices.Clone(first.Locals)
	filled := &backend.Filled{First: &whole}
	fails := func(err error) (*backend.Filled, error) {
		var discarded []backend.Discarded
		for _, u := range filled.Took {
			discarded = append(discarded, backend.Discarded{Usage: u})
		}
		return nil, backend.TakeDown(nil, err, discarded)
	}
	o = backend.FillOptions(o, p.cfg.MaxTokens)
	sure := map[string]*float64{}
	for _, i := range missing {
		name := whole.Locals[i].Name
		prompt, err := at.PromptValue(&whole, i)
		if err != nil {
			return fails(unwritable("the question for a value", err))
		}
		w := &writing{spot: spot{part: dsl.PartFilled}, drawing: p.drawing(o, 0)}
		err = p.ask(ctx, w, prompt, o)
		if w.raw.Len() > 0 {
			filled.Took = append(filled.Took, w.used())
		}
		if failure, ok := errors.AsType[*backend.Error](err); ok && failure.Kind == backend.Endless {
			failure.Message = backend.EndlessValue(name, fmt.Sprintf("%d tokens", w.limit)).Message
		}
		if err != nil {
			return fails(err)
		}
		d := dsl.ND1.DecodeValue()
		if done, err := d.Feed(w.raw.String()); !done { // the grammar should prevent this
			return fails(&backend.Error{Kind: backend.NoState, Message: fmt.Sprintf("the model's reply is not a value for %q: %v", name, err), Raw: w.raw.String(), Err: err})
		}
		if failure := backend.TooLongValue(name, d.Value()); failure != nil {
			failure.Raw = w.raw.String()
			return fails(failure)
		}
		whole.Locals[i].Value = d.Value()
		sure[name] = backend.MeasureValue(w.pieces(), d.Read())
	}
	filled.Measure(missing, sure)
	return filled, nil
}

// drawing returns the settings for sampling the tokens of a reply. move is 0 if the question is for
// a value.
func (p *Predictor) drawing(o backend.Options, move dsl.Move) drawing {
	d := drawing{temperature: p.cfg.Temperature, top: p.cfg.TopP, calibration: 1}
	if o.Temperature != nil {
		d.temperature = *o.Temperature
	}
	if o.TopP != nil {
		d.top = *o.TopP
	}
	seed := rand.Uint64()
	switch {
	case o.Seed != nil:
		seed = uint64(*o.Seed)
	case p.cfg.Seed != nil:
		seed = uint64(*p.cfg.Seed)
	}
	d.rng = rand.New(rand.NewPCG(seed, 0))
	if t, ok := p.file.Temperature[move.String()]; ok {
		d.calibration = t
	}
	return d
}

// least is the minimum room that a prompt must leave in the window for the reply.
const least = 64

// ask waits until the engine is free and writes a reply to w. The error is a *backend.Error or the
// error of ctx.
func (p *Predictor) ask(ctx context.Context, w *writing, prompt string, o backend.Options) error {
	tokens := ours.encode(nil, prompt)
	window := p.file.Size.Window
	w.limit = p.cfg.MaxTokens
	if o.MaxTokens != nil {
		w.limit = *o.MaxTokens
	}
	if w.limit <= 0 {
		w.limit = window
	}
	switch {
	case !strings.HasPrefix(prompt, dsl.ND1.Name(dsl.ContextStart)):
		return &backend.Error{Kind: backend.Unwritable, Message: "the question has names for nd/1's tokens that npdb's own model does not know"}
	case len(tokens)+least > window:
		return tooLong("the trajectory has %d tokens, and the window of npdb's own model is %d", len(tokens), window)
	}
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return ctx.Err()
	case <-p.closing.Done():
		return p.failure(ctx, errClosed, w)
	}
	engine, err := p.engine()
	if err != nil {
		return err
	}
	w.engine, w.closing = engine, p.closing
	if err := w.write(ctx, tokens); err != nil {
		return p.failure(ctx, err, w)
	}
	return nil
}

func tooLong(format string, args ...any) error {
	return &backend.Error{Kind: backend.TooLong, Message: fmt.Sprintf(format, args...)}
}

// failure converts the error of a reply that could not be completed.
func (p *Predictor) failure(ctx context.Context, err error, w *writing) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errClosed):
		return &backend.Error{Kind: backend.Unreachable, Message: "npdb's own model is not asked any more: npdb has closed it", Err: err}
	case errors.Is(err, errFull):
		return tooLong("there was no room for the whole reply: the window of npdb's own model is full, %d tokens", p.file.Size.Window)
	case errors.Is(err, errRepeats):
		return &backend.Error{Kind: backend.Endless, Message: "the model's reply did not end: it says the same over and over"}
	case errors.Is(err, errTooMany):
		return &backend.Error{Kind: backend.Endless, Message: fmt.Sprintf("the model's reply did not end within %d tokens (max_tokens): raise --max-tokens if states of this program are that long", w.limit)}
	}
	return &backend.Error{Kind: backend.NoState, Message: "the model's reply is no state: " + err.Error(), Err: err}
}
