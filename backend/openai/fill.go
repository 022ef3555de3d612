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

// Fill asks for the values: see backend.Predictor.
func (p *Predictor) Fill(ctx context.Context, at *dsl.Node, first *dsl.Stop, missing []int, o backend.Options) (*dsl.Stop, error) {
	// Any model ends a text that stands in quotes: a value tells of no dialect.
	return inDialect(ctx, p, false,
		func() (*dsl.Stop, error) { return p.fillText(ctx, at, first, missing, o) },
		func() (*dsl.Stop, error) { return p.fillChat(ctx, at, first, missing, o) },
		func() (*dsl.Stop, error) {
			return nil, noTrace(errors.New("it fills in no values. Give each argument one, as in --entry 'f(x=1)'"))
		})
}

// fillText asks for one value after the other, each with those before it.
func (p *Predictor) fillText(ctx context.Context, at *dsl.Node, first *dsl.Stop, missing []int, o backend.Options) (*dsl.Stop, error) {
	whole := *first
	whole.Locals = slices.Clone(first.Locals)
	for _, i := range missing {
		prompt, err := at.PromptValue(&whole, i)
		if err != nil {
			return nil, &backend.Error{Kind: backend.Unwritable, Message: "the question for a value cannot be written: " + err.Error(), Err: err}
		}
		name := whole.Locals[i].Name
		var d *dsl.ValueDecoder
		_, err = p.retry(ctx, func() *backend.Error {
			d = p.cfg.Format.DecodeValue()
			_, failure := p.ask(ctx, question{prompt: prompt, at: at, options: o}, valueSink{d})
			return failure
		}, nil)
		if err != nil {
			return nil, p.noValue(err, name)
		}
		whole.Locals[i].Value = d.Value()
	}
	return &whole, nil
}

// noValue says of a reply that is no value whose value it should have been.
func (p *Predictor) noValue(err error, name string) error {
	var failure *backend.Error
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Kind {
	case backend.NoState:
	case backend.TooLong:
		failure.Message += ". Serve the model with a larger window"
		return failure
	default:
		return err
	}
	if strings.Contains(failure.Raw, p.cfg.Format.Name(dsl.UnknownSep)) {
		failure.Message = fmt.Sprintf("the model declines to say a value for %q: give it one", name)
	} else {
		failure.Message = fmt.Sprintf("the model's reply is no value for %q: %v", name, failure.Err)
	}
	return failure
}

// valueSink decodes a value while it streams.
type valueSink struct{ d *dsl.ValueDecoder }

func (s valueSink) feed(piece, _ string) (bool, error) { return s.d.Feed(piece) }

func (s valueSink) end() error { return s.d.Close() }
