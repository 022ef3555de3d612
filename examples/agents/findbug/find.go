package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// These types hold the fields of npdb's answers that the agent reads. Package github.com/npdb/npdb/mcp has the
// complete types.
type (
	place struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Source string `json:"source"`
	}
	name struct{ Name, Value string }
	stop struct {
		Number     int    `json:"number"`
		Place      *place `json:"place"`
		Value      string `json:"value"`
		Locals     []name `json:"locals"`
		PostMortem bool   `json:"post_mortem"`
		Boundary   string `json:"boundary"`
		Output     string `json:"output"`
		Running    string `json:"running"`
	}
	hop struct {
		Value *string `json:"value"`
		Place *place  `json:"place"`
	}
	diagnosis struct {
		stop
		Suspects []chain `json:"suspects"`
	}
	chain struct {
		Expression string `json:"expression"`
		From       []hop  `json:"from"`
	}
	hops    struct{ Hops []hop }
	changes struct {
		Changes []struct {
			Event int     `json:"event"`
			Begin int     `json:"set_at"`
			Old   *string `json:"old"`
			New   *string `json:"new"`
			Place *place  `json:"place"`
		} `json:"changes"`
	}
)

var (
	names      = regexp.MustCompile(`[A-Za-z_]\w*`)
	comparison = regexp.MustCompile(`(\w+) [=!]= (\w+)`)
	literal    = regexp.MustCompile(`["']([A-Za-z][^"'{]{3,})`)
	frames     = regexp.MustCompile(`File "([^"]+)", line (\d+)`)
)

// find goes from the failure of a program to the wrong line, and prints both.
func (a *agent) find(p program) error {
	words := "file=" + p.File
	if p.Module != "" {
		words = "module=" + p.Module
	}
	if len(p.Args) > 0 {
		words += " args=['" + strings.Join(p.Args, "', '") + "']"
	}
	var failure diagnosis
	if err := a.call("diagnose", words, p, &failure); err != nil {
		return err
	}
	for failure.Running != "" { // longer than a call waits
		var err error
		if failure.stop, err = a.move(moving{Action: "wait"}); err != nil {
			return err
		}
	}
	if failure.PostMortem {
		a.say(failure.Place, "raises "+failure.Value)
		a.blame(failure.Suspects, failure.stop)
		return nil
	}
	output := strings.TrimSpace(failure.Output)
	if output == "" {
		output = "nothing"
	}
	a.print("   the program prints: %s", strings.TrimSpace(output[strings.LastIndexByte(output, '\n')+1:]))
	where, err := complaint(failure.Output, p)
	switch {
	case err != nil:
		return err
	case where == "":
		a.print("The output names no line and no comparison: say what is wrong, with a test.")
		return nil
	}
	at, err := a.move(moving{Action: "inv_breakpoint", Location: where})
	if err != nil {
		return err
	}
	if sides := comparison.FindStringSubmatch(at.Place.Source); sides != nil {
		left, known := valueOf(at, sides[1])
		right, also := valueOf(at, sides[2])
		if known && also {
			a.say(at.Place, fmt.Sprintf("%s = %s, %s = %s", sides[1], left, sides[2], right))
			return a.lastRight(sides[1], right)
		}
	}
	return a.intoCall(at)
}

// intoCall goes back into the call whose result the failing line compares, and follows the returned value to its
// origin.
func (a *agent) intoCall(at stop) error {
	a.say(at.Place, "is the check that fails")
	if _, err := a.move(moving{Action: "step_over"}); err != nil {
		return err
	}
	returned, err := a.move(moving{Action: "inv_step_into"})
	if err != nil {
		return err
	}
	a.say(returned.Place, "returns "+returned.Value)
	var chains []chain
	for _, n := range names.FindAllString(returned.Place.Source, -1) {
		_, known := valueOf(returned, n)
		if !known || slices.ContainsFunc(chains, func(c chain) bool { return c.Expression == n }) {
			continue
		}
		var h hops
		if err := a.call("provenance", "expression="+n, map[string]string{"expression": n}, &h); err != nil {
			return err
		}
		chains = append(chains, chain{n, h.Hops})
		a.say(h.Hops[len(h.Hops)-1].Place, n+" = "+shown(h.Hops[0].Value)+" comes from here")
	}
	a.blame(chains, at)
	return nil
}

// complaint returns the location of the failure: the line that a traceback names, or the comparison in the program
// that led to the printed text. It returns "" if it finds none.
func complaint(output string, p program) (string, error) {
	if all := frames.FindAllStringSubmatch(output, -1); all != nil {
		last := all[len(all)-1]
		return filepath.Base(last[1]) + ":" + last[2], nil
	}
	if p.File == "" {
		return "", nil
	}
	text, err := os.ReadFile(p.File)
	if err != nil {
		return "", err
	}
	for k, line := range strings.Split(string(text), "\n") {
		if !comparison.MatchString(line) {
			continue
		}
		for _, m := range literal.FindAllStringSubmatch(line, -1) {
			if strings.Contains(output, m[1]) {
				return fmt.Sprintf("%s:%d", filepath.Base(p.File), k+1), nil
			}
		}
	}
	return "", nil
}

// lastRight goes back to the last event at which the computed value was the wanted one, and finds the line that
// changed it.
func (a *agent) lastRight(n, wanted string) error {
	var h hops
	if err := a.call("provenance", "expression="+n, map[string]string{"expression": n}, &h); err != nil {
		return err
	}
	made := h.Hops[0]
	a.say(made.Place, "made "+n+" = "+shown(made.Value))
	_, expression, assigned := strings.Cut(strings.TrimSpace(made.Place.Source), " = ")
	if !assigned {
		expression = n
	}
	at, err := a.move(moving{Action: "inv_breakpoint", Condition: expression + " == " + wanted})
	if err != nil {
		return err
	}
	if at.Boundary != "" {
		a.print("It was never right: the wrong line is %s", made.Place)
		return nil
	}
	a.say(at.Place, "it is right here for the last time: "+show(at.Locals))
	var c changes
	if err := a.call("history", "expression="+expression, map[string]string{"expression": expression}, &c); err != nil {
		return err
	}
	event := at.Number
	for _, one := range c.Changes {
		if one.Event > at.Number {
			a.say(one.Place, "changes it from "+shown(one.Old)+" to "+shown(one.New))
			event = one.Begin
		}
	}
	end, err := a.move(moving{Action: "goto", Event: event})
	if err != nil {
		return err
	}
	a.print("The wrong line is %s\n    with %s", end.Place, show(end.Locals))
	return nil
}

// blame prints the line that made a wrong value. It does not blame a value that the failing line or test itself
// passed.
func (a *agent) blame(chains []chain, failure stop) {
	var all, likely []chain
	for _, c := range chains {
		if len(c.From) == 0 || c.From[len(c.From)-1].Place == nil {
			continue
		}
		all = append(all, c)
		empty := slices.Contains([]string{"0", "None", "''", "[]", "{}"}, shown(c.From[0].Value))
		elsewhere := c.From[len(c.From)-1].Place.File != failure.Place.File
		if failure.PostMortem && empty || !failure.PostMortem && elsewhere {
			likely = append(likely, c)
		}
	}
	if all = append(likely, all...); len(all) == 0 {
		a.print("The wrong line is %s", failure.Place)
		return
	}
	c := all[0]
	a.print("The wrong line is %s\n    it made %s = %s", c.From[len(c.From)-1].Place, c.Expression, shown(c.From[0].Value))
}

// say prints a place and what was found there.
func (a *agent) say(p *place, text string) {
	if p != nil {
		a.print("   %s", p)
	}
	a.print("   %s", text)
}

// String returns the place with its source.
func (p *place) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s:%d %s", p.File, p.Line, strings.TrimSpace(p.Source)))
}

func valueOf(s stop, n string) (string, bool) {
	for _, l := range s.Locals {
		if l.Name == n {
			return l.Value, true
		}
	}
	return "", false
}

func show(locals []name) string {
	var list []string
	for _, l := range locals {
		list = append(list, l.Name+" = "+l.Value)
	}
	return strings.Join(list, ", ")
}

func shown(value *string) string {
	if value == nil {
		return "None"
	}
	return *value
}
