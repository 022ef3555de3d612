package dap

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/breakpoint"
)

// point is a breakpoint of the client: a breakpoint, watchpoint, catchpoint or logpoint of the session, or
// none if it cannot be set.
type point struct {
	id      int
	key     string // what the client has asked for
	number  int    // of the breakpoint in the session, 0 for none
	log     int    // of the logpoint, 0 for none
	file    string
	line    int
	every   hitCondition
	message string // why it is not set, or a note
}

// points are the breakpoints of the client.
type points struct {
	last      int                 // the highest id given
	lines     map[string][]*point // by path
	functions []*point
	data      []*point
	raised    []*point
	typed     []*point // set by commands in the debug console
	uncaught  bool     // uncaught exceptions stop the program
}

// all returns all points.
func (p *points) all() (list []*point) {
	for _, of := range p.lines {
		list = append(list, of...)
	}
	return slices.Concat(list, p.functions, p.data, p.raised, p.typed)
}

// numbered returns the point of a breakpoint, nil if there is none.
func (p *points) numbered(number int) *point {
	for _, one := range p.all() {
		if number > 0 && one.number == number {
			return one
		}
	}
	return nil
}

// shown returns a point as the client sees it.
func (c *client) shown(p *point) dap.Breakpoint {
	b := dap.Breakpoint{Id: p.id, Verified: p.number > 0 || p.log > 0, Message: p.message, Line: c.shownLine(p.line)}
	if p.line == 0 {
		b.Line = 0
	}
	if p.file != "" {
		b.Source = c.sourceOf(p.file)
	}
	return b
}

// settled replaces the points in old by those that the client wants. A point that is wanted again with the same
// key stays. set sets a new one.
func (c *client) settled(old []*point, keys []string, set func(k int, p *point)) (now []*point, shown []dap.Breakpoint) {
	now, shown = make([]*point, len(keys)), make([]dap.Breakpoint, len(keys))
	left := slices.Clone(old)
	for k, key := range keys {
		if at := slices.IndexFunc(left, func(p *point) bool { return p.key == key && (p.number > 0 || p.log > 0) }); at >= 0 {
			now[k], left = left[at], slices.Delete(left, at, at+1)
		}
	}
	for _, p := range left {
		c.remove(p)
	}
	for k, key := range keys {
		if now[k] == nil {
			c.points.last++
			now[k] = &point{id: c.points.last, key: key}
			if c.noDebug {
				now[k].message = "The program runs without debugging."
			} else {
				set(k, now[k])
			}
		}
		shown[k] = c.shown(now[k])
	}
	return now, shown
}

// remove deletes a point from the session.
func (c *client) remove(p *point) {
	if p.number > 0 {
		c.query(session.ClearBreakpoints{Numbers: []int{p.number}})
	}
	if p.log > 0 {
		c.query(session.DropLog{Number: p.log})
	}
}

// place sets a breakpoint of the session for a point.
func (c *client) place(p *point, command session.Command, conditional bool, hits string) {
	every, err := hitConditionOf(hits)
	if err == nil && conditional && !every.least() {
		err = fmt.Errorf("npdb cannot combine a condition with the hit condition %q: give >= N", hits)
	}
	if err != nil {
		p.message = err.Error()
		return
	}
	before := c.i.LastBreakpoint()
	a := c.query(command)
	if a.Err != nil {
		p.message = a.Err.Message
		return
	}
	if p.number = c.i.LastBreakpoint(); p.number == before {
		p.number, p.message = 0, "npdb has set no breakpoint"
		return
	}
	p.every = every
	if conditional {
		p.every.hits = nil // the session counts only the hits at which the condition is true
	}
	c.ignore(p)
	if said, ok := a.Text(session.Notice); ok {
		p.message = said
	}
	for _, b := range c.i.Breakpoints() {
		if b.Number == p.number && b.OnLine() {
			p.file, p.line = b.File, b.Line
		}
	}
}

// ignore makes the session pass over the first hits of a point.
func (c *client) ignore(p *point) {
	if p.every.first > 1 {
		c.query(session.IgnoreBreakpoint{Number: p.number, Count: p.every.first - 1})
	}
}

// again prepares the points for another run.
func (p *points) again(c *client) {
	for _, one := range p.all() {
		if one.number > 0 {
			c.ignore(one)
		}
	}
}

// holds reports whether the hit condition of a breakpoint is true at the position.
func (p *points) holds(number int, list []*breakpoint.Breakpoint) bool {
	one := p.numbered(number)
	if one == nil || one.every.hits == nil {
		return true
	}
	at := slices.IndexFunc(list, func(b *breakpoint.Breakpoint) bool { return b.Number == number })
	return at < 0 || one.every.hits(list[at].Hits)
}

// hit describes why a breakpoint stopped the program. The zero value stands for no breakpoint.
type hit struct {
	reason string
	id     int
}

// hit returns why a breakpoint stopped the program.
func (p *points) hit(number int, list []*breakpoint.Breakpoint) hit {
	if number == 0 {
		return hit{}
	}
	h := hit{reason: "breakpoint"}
	one := p.numbered(number)
	if one != nil {
		h.id = one.id
	}
	at := slices.IndexFunc(list, func(b *breakpoint.Breakpoint) bool { return b.Number == number })
	switch {
	case at < 0: // a temporary breakpoint, which is deleted
	case list[at].Watch != "":
		h.reason = "data breakpoint"
	case list[at].Catch != "":
		h.reason = "exception"
	case one != nil && slices.Contains(p.functions, one):
		h.reason = "function breakpoint"
	}
	return h
}

// hitCondition is a condition on the number of hits of a breakpoint.
type hitCondition struct {
	first int                 // the first hit at which it may be true
	hits  func(hits int) bool // nil if it is always true
	op    string
}

// least reports whether the condition stays true after the first hit.
func (h hitCondition) least() bool { return h.op == "" || h.op == ">=" || h.op == ">" }

var hitForm = regexp.MustCompile(`^(==|=|>=|>|%)?\s*([0-9]{1,9})$`)

// hitConditionOf parses a hit condition: N or == N, >= N, > N or % N.
func hitConditionOf(text string) (hitCondition, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return hitCondition{}, nil
	}
	m := hitForm.FindStringSubmatch(text)
	if m == nil {
		return hitCondition{}, fmt.Errorf("the hit condition %q is none of N, >= N, > N and %% N", text)
	}
	n, err := strconv.Atoi(m[2])
	switch {
	case err != nil || n < 1:
		return hitCondition{}, fmt.Errorf("the hit condition %q needs a number from 1 on", text)
	case m[1] == ">=":
		return hitCondition{n, func(hits int) bool { return hits >= n }, ">="}, nil
	case m[1] == ">":
		return hitCondition{n + 1, func(hits int) bool { return hits > n }, ">"}, nil
	case m[1] == "%":
		return hitCondition{n, func(hits int) bool { return hits%n == 0 }, "%"}, nil
	}
	return hitCondition{n, func(hits int) bool { return hits == n }, "=="}, nil
}

// sync tells the client about breakpoints that changed without its request: by a command in the debug
// console, by a new run, or because a temporary one has stopped the program.
func (c *client) sync() {
	list := c.i.Breakpoints()
	for _, p := range c.points.all() {
		if p.number == 0 {
			continue
		}
		at := slices.IndexFunc(list, func(b *breakpoint.Breakpoint) bool { return b.Number == p.number })
		switch {
		case at < 0:
			p.number = 0
			c.event("breakpoint", dap.BreakpointEventBody{Reason: "removed", Breakpoint: dap.Breakpoint{Id: p.id}})
		case list[at].OnLine() && list[at].Line != p.line:
			p.line = list[at].Line
			c.event("breakpoint", dap.BreakpointEventBody{Reason: "changed", Breakpoint: c.shown(p)})
		}
	}
	gone := func(p *point) bool { return p.number == 0 && p.log == 0 && p.message == "" }
	c.points.typed = slices.DeleteFunc(c.points.typed, gone)
	for _, b := range list {
		if c.points.numbered(b.Number) != nil || b.Passing || !b.OnLine() {
			continue
		}
		c.points.last++
		p := &point{id: c.points.last, number: b.Number, file: b.File, line: b.Line}
		c.points.typed = append(c.points.typed, p)
		c.event("breakpoint", dap.BreakpointEventBody{Reason: "new", Breakpoint: c.shown(p)})
	}
}
