package openai

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Fill asks for the missing values; see backend.Predictor.
func (p *Predictor) Fill(ctx context.Context, at *dsl.Node, first *dsl.Stop, missing []int, o backend.Options) (*backend.Filled, error) {
	ctx, replies := withLedger(ctx)
	// Any model can complete a quoted string, so a value does not show which dialect the model
	// speaks.
	filled, err := inDialect(ctx, p, false,
		func() (*backend.Filled, error) { return p.fillText(ctx, at, first, missing, o) },
		func() (*backend.Filled, error) { return p.fillChat(ctx, at, first, missing, o) },
		func() (*backend.Filled, error) {
			return nil, noTrace(errors.New("it fills in no values. Give each argument one, as in --entry 'f(x=1)'"))
		})
	if err != nil {
		return nil, backend.TakeDown(nil, err, replies.taken())
	}
	filled.Discarded = replies.taken()
	return filled, nil
}

// fillText asks for the values one by one, each after the values before it.
func (p *Predictor) fillText(ctx context.Context, at *dsl.Node, first *dsl.Stop, missing []int, o backend.Options) (_ *backend.Filled, err error) {
	whole := *first
	whole.Locals = slices.Clone(first.Locals)
	filled := &backend.Filled{First: &whole}
	defer func() {
		if err != nil {
			for _, u := range filled.Took {
				ledgerOf(ctx).addUsed(u)
			}
		}
	}()
	o = backend.FillOptions(o, p.cfg.MaxTokens)
	sure := map[string]*float64{}
	for _, i := range missing {
		prompt, err := at.PromptValue(&whole, i)
		if err != nil {
			return nil, &backend.Error{Kind: backend.Unwritable, Message: "the question for a value cannot be written: " + err.Error(), Err: err}
		}
		name := whole.Locals[i].Name
		var d *dsl.ValueDecoder
		var r *reply
		_, err = p.retry(ctx, func() (failure *backend.Error) {
			d = p.cfg.Format.DecodeValue()
			r, failure = p.ask(ctx, question{prompt: prompt, at: at, options: o}, valueSink{d})
			return failure
		}, nil)
		if err != nil {
			return nil, p.noValue(err, name, *o.MaxTokens)
		}
		if failure := backend.TooLongValue(name, d.Value()); failure != nil {
			failure.Raw = r.raw.String()
			ledgerOf(ctx).add(r, failure)
			return nil, failure
		}
		whole.Locals[i].Value = d.Value()
		sure[name] = p.sureOfValue(r, d)
		filled.Took = append(filled.Took, r.usage.counts())
	}
	filled.Measure(missing, sure)
	return filled, nil
}

// sureOfValue returns the probability of the value in a reply, or nil if the server does not report
// it.
func (p *Predictor) sureOfValue(r *reply, d *dsl.ValueDecoder) *float64 {
	if !p.cfg.Logprobs {
		return nil
	}
	return backend.MeasureValue(r.spelled(""), d.Read())
}

// noValue adds the name of the argument to the error for a reply that is not a value. limit is the
// token limit of the reply.
func (p *Predictor) noValue(err error, name string, limit int) error {
	var failure *backend.Error
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Kind {
	case backend.NoState:
	case backend.Endless:
		if failure.Raw != "" { // otherwise keep the message that the model was still reasoning
			failure.Message = backend.EndlessValue(name, fmt.Sprintf("%d tokens", limit)).Message
		}
		return failure
	case backend.TooLong:
		failure.Message += ". Serve the model with a larger window"
		return failure
	default:
		return err
	}
	if strings.Contains(failure.Raw, p.cfg.Format.Name(dsl.UnknownSep)) {
		failure.Message = fmt.Sprintf("the model declines to say a value for %q: give it one", name)
	} else {
		failure.Message = fmt.Sprintf("the model's reply is not a value for %q: %v", name, failure.Err)
	}
	return failure
}

// valueSink decodes a value while it streams.
type valueSink struct{ d *dsl.ValueDecoder }

func (s valueSink) feed(piece, _ string) (bool, error) { return s.d.Feed(piece) }

func (s valueSink) end() error { return s.d.Close() }
