package mcp

import (
	"context"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// Asking contains the arguments of provenance and history.
type Asking struct {
	At
	Expression string   `json:"expression" jsonschema:"Python expression of names, attributes and elements, for example order.items[0].price"`
	Limit      int      `json:"limit,omitempty" jsonschema:"how many entries to return, 20 by default"`
	Via        []string `json:"via,omitempty" jsonschema:"for provenance: the inputs to follow where a value was computed from several"`
}

// The default and the maximum number of entries in an answer.
const (
	usualEntries = 20
	mostEntries  = 200
)

func (a Asking) limit() int {
	if a.Limit <= 0 {
		return usualEntries
	}
	return min(a.Limit, mostEntries)
}

// Hop is one step of a chain: a statement by which the value came to the expression.
type Hop struct {
	Kind       string  `json:"kind" jsonschema:"assignment, copy, field, element, parameter, default, return, mutation, …"`
	Expression string  `json:"expression" jsonschema:"what had the value then"`
	Value      *string `json:"value" jsonschema:"null if it is not known"`
	Event      int     `json:"event" jsonschema:"event at which the statement began, for move with goto; -1 for none"`
	Place      *Place  `json:"place,omitempty"`
	Inputs     []Name  `json:"inputs,omitempty" jsonschema:"what the value was computed from"`
	Times      int     `json:"times,omitempty" jsonschema:"how often in a row the same statement passed the value on"`
	Uncertain  bool    `json:"uncertain,omitempty"`
	End        string  `json:"end,omitempty" jsonschema:"where the chain ends: literal, constructor, input (a library or input call), definition, raised, edge (of the recording), fork (several inputs: name one in via), limit"`
	Note       string  `json:"note,omitempty"`
}

// Chain is the answer of provenance: the hops by which a value came to an expression.
type Chain struct {
	Session string `json:"session"`
	Running string `json:"running,omitempty"`
	Hops    []Hop  `json:"hops" jsonschema:"the latest first"`
	More    int    `json:"more,omitempty" jsonschema:"earlier hops that are left out"`
}

func (s *Server) provenance(ctx context.Context, _ *sdk.CallToolRequest, in Asking) (*sdk.CallToolResult, *Chain, error) {
	if in.Expression == "" {
		return nil, nil, errNoExpression
	}
	d, answers, stop, err := s.do(ctx, in.At, "provenance "+in.Expression, one(session.Provenance{Expression: in.Expression, Via: in.Via}))
	if err != nil {
		return nil, nil, err
	}
	c := &Chain{Session: d.id, Running: stop.Running, Hops: []Hop{}}
	for _, a := range answers {
		hops, more := hopsOf(a.Provenance, in.limit())
		c.Hops, c.More = append(c.Hops, hops...), c.More+more
	}
	return nil, c, nil
}

func hopsOf(list []session.Hop, most int) (hops []Hop, more int) {
	for k, h := range list {
		if k == most {
			return hops, len(list) - most
		}
		hop := Hop{
			Kind: string(h.Kind), Expression: h.Expression, Value: read(h.Value), Event: h.By.Event, Place: placeOf(h.By, h.Source),
			Uncertain: !h.Certain, End: string(h.End), Note: h.Note,
		}
		if h.Times > 1 {
			hop.Times = h.Times
		}
		for _, input := range h.Inputs {
			if input.Value.OK {
				hop.Inputs = append(hop.Inputs, Name{Name: input.Expression, Value: begin(input.Value.Text, mostValue)})
			}
		}
		hops = append(hops, hop)
	}
	return hops, 0
}

// read returns the text of a value, or nil if the value is not known.
func read(r query.Reading) *string {
	if !r.OK {
		return nil
	}
	text := begin(r.Text, mostValue)
	return &text
}

// placeOf returns the line of a frame, or nil if no event belongs to the frame.
func placeOf(f statetree.StackFrame, source string) *Place {
	if f.Event < 0 {
		return nil
	}
	return &Place{File: f.File, Line: f.Line, Function: f.Function, Source: source}
}

// Change is one change of an expression's value.
type Change struct {
	Event int     `json:"event" jsonschema:"first event with the new value"`
	Old   *string `json:"old" jsonschema:"null if there was none"`
	New   *string `json:"new" jsonschema:"null if the name was deleted"`
	Begin int     `json:"set_at" jsonschema:"event at which the line that set it began, for move with goto; -1 for none"`
	Place *Place  `json:"place,omitempty" jsonschema:"the line that set it"`
}

// Changes is the answer of history: the values of an expression over time.
type Changes struct {
	Session string   `json:"session"`
	Running string   `json:"running,omitempty"`
	Changes []Change `json:"changes" jsonschema:"the earliest first"`
	More    int      `json:"more,omitempty" jsonschema:"earlier changes that are left out"`
}

func (s *Server) history(ctx context.Context, _ *sdk.CallToolRequest, in Asking) (*sdk.CallToolResult, *Changes, error) {
	switch {
	case in.Expression == "":
		return nil, nil, errNoExpression
	case len(in.Via) > 0:
		return nil, nil, errors.New("history takes no via: it is an argument of provenance")
	}
	d, answers, stop, err := s.do(ctx, in.At, "history "+in.Expression, one(session.ValueHistory{Expression: in.Expression, All: true}))
	if err != nil {
		return nil, nil, err
	}
	c := &Changes{Session: d.id, Running: stop.Running, Changes: []Change{}}
	for _, a := range answers {
		list := a.Changes
		if n := len(list) - in.limit(); n > 0 {
			list, c.More = list[n:], n
		}
		c.Changes = append(c.Changes, changesOf(list)...)
	}
	return nil, c, nil
}

func changesOf(list []session.Change) (changes []Change) {
	for _, one := range list {
		by := one.By
		if one.Set != nil {
			by = *one.Set
		}
		changes = append(changes, Change{Event: one.Event, Old: read(one.Old), New: read(one.New), Begin: by.Event, Place: placeOf(by, "")})
	}
	return changes
}
